import DialectModel
import LineProtocol

/// A message in a behaviour: a command whose arguments are strings with placeholders.
struct GenericMessage: Sendable {
    /// Text with placeholders.
    struct Text: Sendable {
        var pieces: [LineShape.Piece]
    }

    typealias Values = [String: [UInt8]]

    let command: Int
    /// The arguments, in the order of the command's signature; nil for arguments that the behaviour
    /// does not specify.
    let arguments: [Text?]

    init(_ shape: LineShape) {
        command = shape.command
        arguments = shape.arguments.map { $0.map { Text(pieces: $0) } }
    }

    /// Returns the placeholder values if the line matches this message, otherwise nil.
    func match(_ line: RequestLine, knowing known: Values) -> Values? {
        guard line.message.command == command else { return nil }
        var values = known
        for (index, text) in arguments.enumerated() {
            guard let text else { continue }
            let bytes = line.message.arguments.indices.contains(index) ? line.text(at: index) : []
            guard text.match(bytes, &values) else { return nil }
        }
        return values
    }

    /// Appends the message with its placeholders filled in.
    ///
    /// - Parameter reason: Value for the first text argument that the behaviour does not specify.
    func append(
        _ values: Values, reason: String? = nil, _ dialect: Dialect, _ encoder: MessageEncoder,
        to line: inout [UInt8]
    ) throws(EncodingError) {
        let signature = dialect.commands.signatures[command]
        var reason = reason
        var filled: [ArgumentValue] = []
        for (index, argument) in signature.arguments.enumerated() {
            if let text = arguments[index] {
                filled.append(argument.type.value(of: text.fill(values)))
            } else if argument.position == .payloadLength || !argument.isRequired {
                filled.append(.absent)
            } else if argument.type == .text, let text = reason {
                filled.append(.text(text))
                reason = nil
            } else {
                filled.append(argument.presence == .variadic ? .list([]) : argument.type.zero)
            }
        }
        try encoder.append(command, filled, to: &line)
    }
}

extension GenericMessage.Text {
    func fill(_ values: GenericMessage.Values) -> [UInt8] {
        pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .literal(let bytes): bytes
            case .variable(let name): values[name] ?? []
            case .anything: Array("linejudge".utf8)
            }
        }
    }

    /// Returns whether the bytes match this text, and adds placeholder values to `values`. A
    /// placeholder that already has a value must match it; any other placeholder matches all bytes
    /// up to the next literal.
    func match(_ bytes: [UInt8], _ values: inout GenericMessage.Values) -> Bool {
        var rest = bytes[...]
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                guard rest.starts(with: literal) else { return false }
                rest = rest.dropFirst(literal.count)
            case .variable(let name):
                let taken = take(&rest, upTo: index + 1)
                if let known = values[name], known != Array(taken) { return false }
                values[name] = Array(taken)
            case .anything:
                _ = take(&rest, upTo: index + 1)
            }
        }
        return rest.isEmpty
    }

    private func take(_ rest: inout ArraySlice<UInt8>, upTo next: Int) -> ArraySlice<UInt8> {
        guard next < pieces.count, case .literal(let literal) = pieces[next],
            let start = rest.indices.first(where: { rest[$0...].starts(with: literal) })
        else {
            defer { rest = rest[rest.endIndex...] }
            return rest
        }
        defer { rest = rest[start...] }
        return rest[..<start]
    }
}

extension ArgumentType {
    /// Value of this type to send for an argument that the behaviour does not specify.
    var zero: ArgumentValue {
        switch self {
        case .int: .int(0)
        case .bool: .bool(false)
        case .decimal: .decimal(Decimal64(unscaled: 0, scale: 0))
        case .time: .time(0)
        case .choice: .choice(0)
        case .list: .list([])
        case .text: .text([UInt8]())
        case .bytes: .bytes([])
        case .json: .json(Array("{}".utf8))
        case .xml: .xml(Array("<x/>".utf8))
        }
    }

    /// Converts the text to a value of this type, or returns ``zero`` if that is not possible.
    func value(of text: [UInt8]) -> ArgumentValue {
        ValueConversion.value(text, self) ?? zero
    }
}
