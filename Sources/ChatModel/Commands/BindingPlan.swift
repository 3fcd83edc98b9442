import LineProtocol

/// Precomputed mapping from a command type's properties to the dialect's arguments. Unlike
/// ``CommandBinding``, it is not generic.
final class BindingPlan: Sendable {
    let command: Int
    let signature: CommandSignature
    /// The dialect with the command type's format changes applied.
    let format: Dialect
    /// Decoder for the command's own format; nil if the type does not change the dialect's format,
    /// in which case a shared decoder is used.
    let decoder: MessageDecoder?
    /// Property names in the order in which the type encodes and decodes them.
    let names: [String]
    /// Argument index of each property; -1 for an optional property that the dialect lacks.
    let argumentIndices: [Int]
    let types: [ArgumentType]
    private let tolerance: Tolerance

    init<Command: ChatCommand>(
        _ type: Command.Type, _ dialect: Dialect, _ direction: Direction
    ) throws(CommandError) {
        guard let index = dialect.commands.command(named: type.name, direction) else {
            throw .notInTable(type.name, direction, dialect)
        }
        var format = dialect
        type.format(&format)
        let isChanged =
            format.escaping != dialect.escaping || format.syntax != dialect.syntax
            || format.tolerance != dialect.tolerance
        let signature = dialect.commands.signatures[index]
        command = index
        self.signature = signature
        tolerance = signature.tolerance ?? format.tolerance
        self.format = format
        decoder = isChanged ? MessageDecoder(format) : nil
        let shape = CommandShape(type, signature)
        try shape.check(against: signature)
        types = signature.arguments.map(\.type)
        names = shape.properties.map(\.name)
        argumentIndices = names.map { signature.argumentIndex(of: $0) ?? -1 }
    }

    /// Returns the argument index of a property; -1 if there is none.
    func index(of name: String) -> Int {
        if let index = names.firstIndex(of: name) { return argumentIndices[index] }
        return signature.argumentIndex(of: name) ?? -1
    }

    /// Throws an error for the first issue in the message that the dialect does not tolerate.
    func check(_ message: borrowing Message, _ buffer: Span<UInt8>) throws(CommandError) {
        for issue in message.issues where !issue.isTolerated(by: tolerance) {
            throw CommandError(issue, signature, message, buffer)
        }
    }
}

extension CommandSignature {
    func argumentIndex(of name: String) -> Int? { arguments.firstIndex { $0.name == name } }
}

extension ArgumentSignature {
    /// True if the matching property must be a list, because the argument has a list type or takes
    /// all remaining fields.
    var isList: Bool {
        if position == .field, presence == .variadic { return true }
        if case .list = type { return true }
        return false
    }
}
