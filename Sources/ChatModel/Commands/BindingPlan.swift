import LineProtocol

/// What a bound type needs at each line, whatever its type is: worked out once.
final class BindingPlan: Sendable {
    let command: Int
    let signature: CommandSignature
    /// The dialect, with what the type changes of it.
    let format: Dialect
    /// Nil where the type changes nothing: then the decoder is shared by all commands.
    let decoder: MessageDecoder?
    /// For each argument, what is made of it for the property.
    let forms: [ArgumentForm]
    /// The properties in the order in which the type visits them.
    let properties: [Property]
    private let tolerance: Tolerance

    /// A property that has been seen.
    struct Property: Sendable {
        var name: String
        /// The argument's place in the signature, or -1 where the dialect has none and the property is
        /// optional.
        var place: Int
    }

    init<Command: ChatCommand>(
        _ type: Command.Type, _ dialect: Dialect, _ direction: Direction
    ) throws(CommandError) {
        guard let place = dialect.commands.command(named: type.name, direction) else {
            throw .notInTable(type.name, direction, dialect)
        }
        var format = dialect
        type.format(&format)
        let isChanged =
            format.escaping != dialect.escaping || format.syntax != dialect.syntax
            || format.tolerance != dialect.tolerance
        let signature = dialect.commands.signatures[place]
        command = place
        self.signature = signature
        tolerance = signature.tolerance ?? format.tolerance
        self.format = format
        decoder = isChanged ? MessageDecoder(format) : nil
        let shape = CommandShape(type, signature)
        try shape.check(against: signature)
        properties = shape.properties.map {
            Property(name: $0.name, place: signature.place(of: $0.name) ?? -1)
        }
        forms = shape.forms(signature)
    }

    /// The place of the argument that the property is, or nil.
    func place(of name: String) -> Int? {
        if let place = properties.first(where: { $0.name == name })?.place {
            return place < 0 ? nil : place
        }
        return signature.place(of: name)
    }

    /// Throws the first issue that the tolerance does not let pass.
    func check(_ message: borrowing Message, _ buffer: Span<UInt8>) throws(CommandError) {
        for issue in message.issues where !issue.isTolerated(by: tolerance) {
            throw CommandError(issue, signature, message, buffer)
        }
    }
}

extension CommandSignature {
    func place(of name: String) -> Int? { arguments.firstIndex { $0.name == name } }
}

extension ArgumentSignature {
    /// Whether it is a list for properties: one value that is a list, or all fields that are left over.
    var isList: Bool {
        if place == .field, presence == .variadic { return true }
        if case .list = type { return true }
        return false
    }
}

/// What is made of an argument before its property asks for it.
enum ArgumentForm: Sendable {
    /// Nothing: there is no property.
    case unused
    /// An integer, or a flag as 0 or 1.
    case number
    case string
    case value
}
