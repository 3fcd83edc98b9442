/// A message on its way to a line.
struct LineDraft {
    var values: [ArgumentValue]
    let signature: CommandSignature
    /// The rules by place; none of them escapes in commands that are exempt.
    let escaping: Escaping

    init(_ values: [ArgumentValue], _ signature: CommandSignature, _ dialect: Dialect) {
        self.values = values
        self.signature = signature
        guard case .exact(let verb) = signature.wire,
            dialect.escaping.exemptVerbs.contains(verb)
        else {
            escaping = dialect.escaping
            return
        }
        var bare: ByteSet = [ASCII.nul, ASCII.cr, ASCII.lf]
        for separator in dialect.syntax.separators { bare.insert(separator) }
        var key = bare
        if let keyValue = dialect.syntax.keyValue { key.insert(keyValue.assignment) }
        escaping = Escaping(field: .none(forbidden: bare), key: .none(forbidden: key))
    }

    /// The argument's bytes before escaping; nil if it is left out.
    func bytes(_ place: Int) throws(EncodingError) -> [UInt8]? {
        guard place < values.count, values[place] != .absent else { return nil }
        let argument = signature.arguments[place]
        guard let bytes = ValueConversion.bytes(values[place], argument.type) else {
            throw error(.wrongType(expected: argument.type.name), place)
        }
        return bytes
    }

    /// The bytes of each element of a variadic argument.
    func variadic(_ place: Int) throws(EncodingError) -> [[UInt8]] {
        guard place < values.count, values[place] != .absent else { return [] }
        let type = signature.arguments[place].elementType
        guard case .list(let values) = values[place] else {
            throw error(.wrongType(expected: "list of \(type.name)"), place)
        }
        var result: [[UInt8]] = []
        for value in values {
            guard let bytes = ValueConversion.bytes(value, type) else {
                throw error(.wrongType(expected: type.name), place)
            }
            result.append(bytes)
        }
        return result
    }

    func payload() throws(EncodingError) -> [UInt8]? {
        guard let place = signature.payloadArgument else { return nil }
        return try bytes(place) ?? []
    }

    /// Sets the argument that counts the payload, unless a value was given for it.
    ///
    /// - Parameter header: the key that counts it in header frames.
    mutating func fillPayloadLength(header: [UInt8]?) throws(EncodingError) {
        let place = signature.arguments.firstIndex { argument in
            if case .key(let key) = argument.place { return key == header }
            return argument.place == .payloadLength
        }
        guard let place, signature.payloadArgument != nil else { return }
        while values.count <= place { values.append(.absent) }
        guard values[place] == .absent else { return }
        let payload = try payload() ?? []
        // A header is not needed where there is nothing to count.
        if header != nil, payload.isEmpty { return }
        values[place] = .int(Int64(payload.count))
    }

    func error(_ reason: EncodingError.Reason, _ place: Int) -> EncodingError {
        EncodingError(reason, argument: signature.arguments[place].name, place: place)
    }

    func unrepresentable(_ byte: UInt8, at offset: Int, _ place: Int) -> EncodingError {
        error(.escape(EscapeError(offset: offset, reason: .unrepresentable(byte))), place)
    }
}

/// Why a message has no line.
public struct EncodingError: Error, Sendable, Hashable {
    /// Why.
    public var reason: Reason
    /// The argument's name and place in the signature, if one is to blame.
    public var argument: String?
    /// The argument's place in the signature.
    public var place: Int?

    init(_ reason: Reason, argument: String? = nil, place: Int? = nil) {
        self.reason = reason
        self.argument = argument
        self.place = place
    }

    /// Why a message can have no line.
    public enum Reason: Sendable, Hashable {
        case noSuchCommand
        case tooManyValues(given: Int)
        /// More fields than the dialect's lines have.
        case tooManyFields(max: Int)
        /// A command of a class needs its own name as an argument; where the first field is the command,
        /// there is no line without one.
        case verbMissing
        /// The command given is not one of its class.
        case verbInvalid
        case wrongType(expected: String)
        /// The value has no spelling in this place.
        case escape(EscapeError)
        /// An argument is left out, so that a reader would take a later one for it.
        case gap
        case framing(FramingError)
    }
}
