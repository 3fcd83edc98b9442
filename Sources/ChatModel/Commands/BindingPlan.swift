import LineProtocol

/// What a bound type needs at each line, whatever its type is: worked out once.
final class BindingPlan: Sendable {
    let command: Int
    let signature: CommandSignature
    /// The dialect, with what the type changes of it.
    let format: Dialect
    /// Nil where the type changes nothing: then the decoder is shared by all commands.
    let decoder: MessageDecoder?
    /// The properties in the order in which the type visits them.
    let names: [String]
    /// For each property the place of its argument in the signature, or -1 where the dialect has none and the
    /// property is optional.
    let places: [Int]
    /// The arguments' types.
    let types: [ArgumentType]
    private let tolerance: Tolerance

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
        types = signature.arguments.map(\.type)
        names = shape.properties.map(\.name)
        places = names.map { signature.place(of: $0) ?? -1 }
    }

    /// The place of the argument that the property is, or -1.
    func place(of name: String) -> Int {
        if let place = names.firstIndex(of: name) { return places[place] }
        return signature.place(of: name) ?? -1
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
