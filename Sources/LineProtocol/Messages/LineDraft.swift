/// A message being encoded.
struct LineDraft {
    var values: [ArgumentValue]
    let signature: CommandSignature
    /// The escape rules. They do not escape anything if the command is exempt from escaping.
    let escaping: Escaping

    init(
        _ values: [ArgumentValue], _ signature: CommandSignature, syntax: FieldSyntax,
        escaping: Escaping
    ) {
        self.values = values
        self.signature = signature
        guard case .exact(let verb) = signature.wire, escaping.exemptVerbs.contains(verb) else {
            self.escaping = escaping
            return
        }
        var bare: ByteSet = [ASCII.nul, ASCII.cr, ASCII.lf]
        for separator in syntax.separators { bare.insert(separator) }
        var key = bare
        if let keyValue = syntax.keyValue { key.insert(keyValue.assignment) }
        self.escaping = Escaping(field: .none(forbidden: bare), key: .none(forbidden: key))
    }

    /// Returns the unescaped bytes of an argument; nil if it is omitted.
    func bytes(_ index: Int) throws(EncodingError) -> [UInt8]? {
        guard index < values.count, values[index] != .absent else { return nil }
        let argument = signature.arguments[index]
        guard let bytes = ValueConversion.bytes(values[index], argument.type) else {
            throw error(.wrongType(expected: argument.type.name), index)
        }
        return bytes
    }

    /// Returns the bytes of each element of a variadic argument.
    func variadic(_ index: Int) throws(EncodingError) -> [[UInt8]] {
        guard index < values.count, values[index] != .absent else { return [] }
        let type = signature.arguments[index].elementType
        guard case .list(let values) = values[index] else {
            throw error(.wrongType(expected: "list of \(type.name)"), index)
        }
        var result: [[UInt8]] = []
        for value in values {
            guard let bytes = ValueConversion.bytes(value, type) else {
                throw error(.wrongType(expected: type.name), index)
            }
            result.append(bytes)
        }
        return result
    }

    func payload() throws(EncodingError) -> [UInt8]? {
        guard let index = signature.payloadArgument else { return nil }
        return try bytes(index) ?? []
    }

    /// True if the message has no payload, not even an empty one.
    var lacksPayload: Bool {
        guard let index = signature.payloadArgument, index < values.count else { return true }
        return values[index] == .absent
    }

    /// Fills in the payload size unless the caller has given it.
    ///
    /// - Parameter header: in header frames, the key of the length header.
    mutating func fillPayloadLength(header: [UInt8]?) throws(EncodingError) {
        let index = signature.arguments.firstIndex { argument in
            if case .key(let key) = argument.position { return key == header }
            return argument.position == .payloadLength
        }
        guard let index, signature.payloadArgument != nil else { return }
        while values.count <= index { values.append(.absent) }
        let payload = try payload() ?? []
        guard values[index] == .absent else {
            if header != nil, values[index] != .int(Int64(payload.count)) {
                let expected = "\(payload.count), the body length"
                throw error(.wrongType(expected: expected), index)
            }
            return
        }
        // The header can be omitted for an empty payload.
        if header != nil, payload.isEmpty { return }
        values[index] = .int(Int64(payload.count))
    }

    func error(_ reason: EncodingError.Reason, _ index: Int) -> EncodingError {
        EncodingError(reason, argument: signature.arguments[index].name, argumentIndex: index)
    }

    func unrepresentable(_ byte: UInt8, at offset: Int, _ index: Int) -> EncodingError {
        error(.escape(EscapeError(offset: offset, reason: .unrepresentable(byte))), index)
    }
}

/// The reason a message cannot be encoded.
public struct EncodingError: Error, Sendable, Hashable {
    /// The kind of error.
    public var reason: Reason
    /// Name of the affected argument, or nil.
    public var argument: String?
    /// Index of the affected argument in the signature, or nil.
    public var argumentIndex: Int?

    init(_ reason: Reason, argument: String? = nil, argumentIndex: Int? = nil) {
        self.reason = reason
        self.argument = argument
        self.argumentIndex = argumentIndex
    }

    /// The kind of error.
    public enum Reason: Sendable, Hashable {
        case noSuchCommand
        case tooManyValues(given: Int)
        /// The message has more fields than the dialect allows.
        case tooManyFields(max: Int)
        /// The argument at the `verb` position is missing, or the dialect requires a command and
        /// there is none.
        case verbMissing
        /// The argument at the `verb` position does not have the digits or the prefix of the
        /// command.
        case verbInvalid
        case wrongType(expected: String)
        /// The value cannot be written in this part of the line.
        case escape(EscapeError)
        /// An argument is omitted, so a receiver would assign the values after it to the wrong
        /// arguments.
        case gap
        case framing(FramingError)
    }
}
