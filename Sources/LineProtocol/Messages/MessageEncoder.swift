/// Turns typed messages into frames by a dialect's command table: the counterpart of ``MessageDecoder``.
public struct MessageEncoder: Sendable {
    let dialect: Dialect
    let direction: Direction
    let writer: FrameWriter
    let separator: UInt8

    /// - Parameter direction: whose messages are sent.
    public init(_ dialect: Dialect, direction: Direction) {
        self.dialect = dialect
        self.direction = direction
        writer = FrameWriter(dialect, direction: direction)
        separator = dialect.syntax.separators.first ?? ASCII.blank
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
        var draft = LineDraft(values: values, signature: signature)
        try draft.fillPayloadLength()
        var line: [UInt8] = []
        try appendTags(draft, to: &line)
        try appendSource(draft, to: &line)
        try appendVerb(draft, to: &line)
        try appendFields(draft, to: &line)
        try appendKeys(draft, to: &line)
        try appendFrame(line, draft, to: &target)
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
        do {
            try writer.append(line: line, payload: try draft.payload(), kind: kind, to: &target)
        } catch let error as FramingError {
            throw EncodingError(.framing(error))
        } catch let error as EncodingError {
            throw error
        } catch {
            throw EncodingError(.noSuchCommand)
        }
    }

    private func appendTags(
        _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard let syntax = dialect.syntax.tags else { return }
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
            try escape(bytes, dialect.escaping.tagValue, place, draft, to: &line)
        }
        if !isFirst { line.append(separator) }
    }

    private func appendSource(
        _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard let place = draft.signature.arguments.firstIndex(where: { $0.place == .source }),
            let bytes = try draft.bytes(place), !bytes.isEmpty
        else { return }
        guard let marker = dialect.syntax.sourceMarker else { return }
        line.append(marker)
        try escape(bytes, dialect.escaping.field, place, draft, to: &line)
        line.append(separator)
    }

    private func appendVerb(_ draft: LineDraft, to line: inout [UInt8]) throws(EncodingError) {
        switch draft.signature.wire {
        case .exact(let verb):
            line.append(contentsOf: verb)
        case .digits, .prefix:
            guard let place = draft.signature.arguments.firstIndex(where: { $0.place == .verb }),
                let bytes = try draft.bytes(place), !bytes.isEmpty
            else { throw EncodingError(.verbMissing) }
            line.append(contentsOf: bytes)
        case .none:
            break
        }
    }

    func escape(
        _ bytes: [UInt8], _ rule: EscapeRule, _ place: Int, _ draft: LineDraft,
        to line: inout [UInt8]
    ) throws(EncodingError) {
        do {
            try rule.encode(bytes, into: &line)
        } catch {
            throw EncodingError(
                .escape(error), argument: draft.signature.arguments[place].name, place: place)
        }
    }
}

/// A message on its way to a line.
struct LineDraft {
    var values: [ArgumentValue]
    let signature: CommandSignature

    /// The argument's bytes before escaping; nil if it is left out.
    func bytes(_ place: Int) throws(EncodingError) -> [UInt8]? {
        guard place < values.count, values[place] != .absent else { return nil }
        let argument = signature.arguments[place]
        guard let bytes = ValueConversion.bytes(values[place], argument.type) else {
            throw EncodingError(
                .wrongType(expected: argument.type.name), argument: argument.name, place: place)
        }
        return bytes
    }

    func payload() throws(EncodingError) -> [UInt8]? {
        guard let place = signature.payloadArgument else { return nil }
        return try bytes(place) ?? []
    }

    /// Sets the argument that counts the payload, unless a value was given for it.
    mutating func fillPayloadLength() throws(EncodingError) {
        guard let place = signature.arguments.firstIndex(where: { $0.place == .payloadLength })
        else { return }
        while values.count <= place { values.append(.absent) }
        guard values[place] == .absent else { return }
        values[place] = .int(Int64(try payload()?.count ?? 0))
    }
}

/// Why a message has no line.
public struct EncodingError: Error, Sendable, Hashable {
    public var reason: Reason
    /// The argument's name and place in the signature, if one is to blame.
    public var argument: String?
    public var place: Int?

    init(_ reason: Reason, argument: String? = nil, place: Int? = nil) {
        self.reason = reason
        self.argument = argument
        self.place = place
    }

    public enum Reason: Sendable, Hashable {
        case noSuchCommand
        case tooManyValues(given: Int)
        /// A command of a class needs its own name as an argument.
        case verbMissing
        case wrongType(expected: String)
        /// The value has no spelling in this place.
        case escape(EscapeError)
        /// An argument is left out that others follow.
        case gap
        case framing(FramingError)
    }
}
