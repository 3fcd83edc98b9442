/// Turns typed messages into frames by a dialect's command table: the counterpart of ``MessageDecoder``.
///
/// What it writes the decoder reads back as the same values; a message of which that is not so is refused.
public struct MessageEncoder: Sendable {
    let dialect: Dialect
    let direction: Direction
    let writer: FrameWriter
    let separator: UInt8
    let separators: ByteSet

    /// - Parameter direction: whose messages are sent.
    public init(_ dialect: Dialect, direction: Direction) {
        self.dialect = dialect
        self.direction = direction
        writer = FrameWriter(dialect, direction: direction)
        separator = dialect.syntax.separators.first ?? ASCII.blank
        separators = ByteSet(dialect.syntax.separators + [separator])
    }

    /// Appends the frame of the command at `command` in the table to `target`.
    ///
    /// - Parameter values: one for each argument of the signature, in order; `.absent`, or too few of
    ///   them, leaves arguments out.
    /// - Throws: ``EncodingError``, which names the argument; `target` is then as it was.
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
        var draft = LineDraft(values, signature, dialect)
        try draft.fillPayloadLength(header: lengthHeader)
        var line: [UInt8] = []
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
        var kind = FrameWriter.PayloadKind.none
        if case .exact(let verb) = draft.signature.wire {
            kind = writer.payloadKind(
                verb: verb, direction: direction,
                ignoringCase: dialect.syntax.verbCase == .insensitive)
        }
        let payload = try draft.payload()
        do {
            try writer.append(line: line, payload: payload, kind: kind, to: &target)
        } catch {
            throw EncodingError(.framing(error))
        }
    }

    private func appendTags(
        _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard let syntax = dialect.syntax.tags else { return }
        var ends = separators
        ends.insert(syntax.separator)
        var isFirst = true
        for (place, argument) in draft.signature.arguments.enumerated() {
            guard case .tag(let key) = argument.place, let bytes = try draft.bytes(place) else {
                continue
            }
            line.append(isFirst ? syntax.marker : syntax.separator)
            isFirst = false
            line.append(contentsOf: key)
            guard !bytes.isEmpty else { continue }
            line.append(syntax.assignment)
            let start = line.count
            try escape(bytes, draft.escaping.tagValue, place, draft, to: &line)
            // Nothing keeps a separator in a tag from separating.
            if let index = line[start...].firstIndex(where: ends.contains) {
                throw draft.unrepresentable(line[index], at: index - start, place)
            }
        }
        if !isFirst { line.append(separator) }
    }

    private func appendSource(
        _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard let place = draft.signature.arguments.firstIndex(where: { $0.place == .source }),
            let bytes = try draft.bytes(place), let marker = dialect.syntax.sourceMarker
        else { return }
        if bytes.isEmpty {
            throw draft.error(.escape(EscapeError(offset: 0, reason: .emptyValue)), place)
        }
        if let index = bytes.firstIndex(where: separators.contains) {
            throw draft.unrepresentable(bytes[index], at: index, place)
        }
        line.append(marker)
        line.append(contentsOf: bytes)
        line.append(separator)
    }

    private func appendVerb(_ draft: LineDraft, to line: inout [UInt8]) throws(EncodingError) {
        switch draft.signature.wire {
        case .exact(let verb):
            line.append(contentsOf: verb)
        case .digits(let count):
            let (bytes, place) = try givenVerb(draft)
            // A number is written with all of its digits.
            let verb = [UInt8](repeating: ASCII.zero, count: max(0, count - bytes.count)) + bytes
            guard verb.count == count, verb.allSatisfy(ASCII.isDigit) else {
                throw draft.error(.verbInvalid, place)
            }
            line.append(contentsOf: verb)
        case .prefix(let prefix):
            let (bytes, place) = try givenVerb(draft)
            guard bytes.starts(with: prefix), !bytes.contains(where: separators.contains) else {
                throw draft.error(.verbInvalid, place)
            }
            line.append(contentsOf: bytes)
        case .none:
            // Only where runs of separators hold empty fields can a line start with an empty one.
            if dialect.syntax.verb == .first, dialect.syntax.separatorRuns {
                throw EncodingError(.verbMissing)
            }
        }
    }

    /// Throws if a reader would take the first field of a line without a command for its command.
    private func refuseMistakenVerb(
        _ draft: LineDraft, _ text: ArraySlice<UInt8>
    ) throws(EncodingError) {
        guard draft.signature.wire == .none, dialect.syntax.verb == .firstUnlessKeyValue else {
            return
        }
        let token = text.prefix { !separators.contains($0) }
        let keyValue = dialect.syntax.keyValue
        if !token.contains(where: { $0 == keyValue?.assignment || $0 == keyValue?.rowSeparator }) {
            throw EncodingError(.verbMissing)
        }
    }

    private func givenVerb(
        _ draft: LineDraft
    ) throws(EncodingError) -> (bytes: [UInt8], place: Int) {
        guard let place = draft.signature.arguments.firstIndex(where: { $0.place == .verb }),
            let bytes = try draft.bytes(place), !bytes.isEmpty
        else { throw EncodingError(.verbMissing) }
        return (bytes, place)
    }

    func escape(
        _ bytes: [UInt8], _ rule: EscapeRule, _ place: Int, _ draft: LineDraft,
        to line: inout [UInt8]
    ) throws(EncodingError) {
        do {
            try rule.encode(bytes, into: &line)
        } catch {
            throw draft.error(.escape(error), place)
        }
    }
}
