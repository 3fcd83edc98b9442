/// Encoder that turns typed messages into frames, using a dialect's command table. The counterpart
/// of ``MessageDecoder``.
///
/// Messages that would not decode to the same values are rejected.
public struct MessageEncoder: Sendable {
    let dialect: Dialect
    let direction: Direction
    let syntax: FieldSyntax
    let escaping: Escaping
    let writer: FrameWriter
    let separator: UInt8
    let separators: ByteSet

    /// Creates an encoder for the messages in one direction.
    public init(_ dialect: Dialect, direction: Direction) {
        self.dialect = dialect
        self.direction = direction
        writer = FrameWriter(dialect, direction: direction)
        syntax = dialect.syntax[direction]
        escaping = dialect.escaping[direction]
        separator = syntax.separators.first ?? ASCII.space
        separators = ByteSet(syntax.separators + [separator])
    }

    /// Appends the frame of a command to `target`.
    ///
    /// - Parameters:
    ///   - command: the index of the command in the dialect's table.
    ///   - values: the arguments in order; an argument is omitted if its value is `.absent` or
    ///     missing.
    ///   - target: the bytes to append to.
    /// - Throws: ``EncodingError``, which identifies the argument; `target` is then unchanged.
    public func append(
        _ command: Int, _ values: [ArgumentValue], to target: inout [UInt8]
    ) throws(EncodingError) {
        guard dialect.commands.signatures.indices.contains(command) else {
            throw EncodingError(.noSuchCommand)
        }
        let signature = dialect.commands.signatures[command]
        guard values.count <= signature.arguments.count else {
            throw EncodingError(.tooManyValues(given: values.count))
        }
        var draft = LineDraft(values, signature, syntax: syntax, escaping: escaping)
        try draft.fillPayloadLength(header: lengthHeader)
        var line: [UInt8] = []
        if let json = syntax.json {
            try appendObject(draft, json, to: &line)
            try appendFrame(line, draft, to: &target)
            return
        }
        if syntax.resp {
            try appendRESP(draft, to: &line)
            try appendFrame(line, draft, to: &target)
            return
        }
        try appendTags(draft, to: &line)
        try appendSource(draft, to: &line)
        let start = line.count
        try appendVerb(draft, to: &line)
        try appendFields(draft, from: start, to: &line)
        try appendKeys(draft, from: start, to: &line)
        try refuseMistakenVerb(draft, line[start...])
        try appendFrame(line, draft, to: &target)
    }

    private var lengthHeader: [UInt8]? {
        if case .headerFrame(let header) = dialect.framing.unit { return header }
        return nil
    }

    private func appendFrame(
        _ line: [UInt8], _ draft: LineDraft, to target: inout [UInt8]
    ) throws(EncodingError) {
        let kind = try payloadKind(draft)
        let payload = try draft.payload()
        do {
            try writer.append(line: line, payload: payload, kind: kind, to: &target)
        } catch {
            throw EncodingError(.framing(error))
        }
    }

    private func payloadKind(_ draft: LineDraft) throws(EncodingError) -> FrameWriter.PayloadKind {
        if draft.signature.wire == .prompted { return .line }
        if let verb = draft.signature.wire.blockVerb {
            let kind = writer.payloadKind(
                verb: verb, direction: direction,
                ignoringCase: syntax.ignoresVerbCase)
            if kind == .block, writer.isConditional(verb), draft.lacksPayload {
                return .none
            }
            if kind != .none { return kind }
        }
        guard writer.continuationMarker != nil, let payload = try draft.payload(), !payload.isEmpty
        else {
            return .none
        }
        return .answer
    }

    /// Returns the byte after the command: the continuation marker if the answer has several lines,
    /// otherwise a separator.
    func separatorAfterVerb(_ draft: LineDraft) throws(EncodingError) -> UInt8 {
        try payloadKind(draft) == .answer ? writer.continuationMarker?.byte ?? separator : separator
    }

    private func appendTags(
        _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard let tags = syntax.tags else { return }
        var ends = separators
        ends.insert(tags.separator)
        var isFirst = true
        for (argumentIndex, argument) in draft.signature.arguments.enumerated() {
            guard case .tag(let key) = argument.position, let bytes = try draft.bytes(argumentIndex)
            else {
                continue
            }
            line.append(isFirst ? tags.marker : tags.separator)
            isFirst = false
            line.append(contentsOf: key)
            guard !bytes.isEmpty else { continue }
            line.append(tags.assignment)
            let start = line.count
            try escape(bytes, draft.escaping.tagValue, argumentIndex, draft, to: &line)
            // Separators inside tags cannot be escaped.
            if let index = line[start...].firstIndex(where: ends.contains) {
                throw draft.unrepresentable(line[index], at: index - start, argumentIndex)
            }
        }
        if !isFirst { line.append(separator) }
    }

    private func appendSource(
        _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard
            let argumentIndex = draft.signature.arguments.firstIndex(where: {
                $0.position == .source
            }
            ),
            let bytes = try draft.bytes(argumentIndex), let marker = syntax.sourceMarker
        else { return }
        if bytes.isEmpty {
            throw draft.error(.escape(EscapeError(offset: 0, reason: .emptyValue)), argumentIndex)
        }
        if let index = bytes.firstIndex(where: separators.contains) {
            throw draft.unrepresentable(bytes[index], at: index, argumentIndex)
        }
        line.append(marker)
        line.append(contentsOf: bytes)
        line.append(separator)
    }

    func appendVerb(_ draft: LineDraft, to line: inout [UInt8]) throws(EncodingError) {
        switch draft.signature.wire {
        case .exact(let verb):
            line.append(contentsOf: verb)
        case .digits(let count):
            let (bytes, argumentIndex) = try givenVerb(draft)
            // Pad short numbers with leading zeros.
            let zeros = max(0, (count ?? 0) - bytes.count)
            let verb = [UInt8](repeating: ASCII.zero, count: zeros) + bytes
            guard verb.count == count ?? verb.count, verb.allSatisfy(ASCII.isDigit) else {
                throw draft.error(.verbInvalid, argumentIndex)
            }
            line.append(contentsOf: verb)
        case .prefix(let prefix):
            let (bytes, argumentIndex) = try givenVerb(draft)
            let isDivided =
                syntax.json == nil && !syntax.resp
                && bytes.contains(where: separators.contains)
            guard bytes.starts(with: prefix), !isDivided else {
                throw draft.error(.verbInvalid, argumentIndex)
            }
            line.append(contentsOf: bytes)
        case .prompted: break
        case .none:
            // A line can start with an empty field only if separators are not merged. A message
            // that consists only of a block has no such line.
            if syntax.verb == .first, syntax.separatorRuns,
                try payloadKind(draft) != .block
            {
                throw EncodingError(.verbMissing)
            }
        }
    }

    /// Throws an error if a receiver would mistake the first field of a line without a command for
    /// its command.
    private func refuseMistakenVerb(
        _ draft: LineDraft, _ text: ArraySlice<UInt8>
    ) throws(EncodingError) {
        guard draft.signature.wire == .none, syntax.verb == .firstUnlessKeyValue else {
            return
        }
        let token = text.prefix { !separators.contains($0) }
        let keyValue = syntax.keyValue
        if !token.contains(where: { $0 == keyValue?.assignment || $0 == keyValue?.rowSeparator }) {
            throw EncodingError(.verbMissing)
        }
    }

    private func givenVerb(
        _ draft: LineDraft
    ) throws(EncodingError) -> (bytes: [UInt8], argumentIndex: Int) {
        guard
            let argumentIndex = draft.signature.arguments.firstIndex(where: { $0.position == .verb }
            ),
            let bytes = try draft.bytes(argumentIndex), !bytes.isEmpty
        else { throw EncodingError(.verbMissing) }
        return (bytes, argumentIndex)
    }

    func escape(
        _ bytes: [UInt8], _ rule: EscapeRule, _ argumentIndex: Int, _ draft: LineDraft,
        to line: inout [UInt8]
    ) throws(EncodingError) {
        do {
            try rule.encode(bytes, into: &line)
        } catch {
            throw draft.error(.escape(error), argumentIndex)
        }
    }
}
