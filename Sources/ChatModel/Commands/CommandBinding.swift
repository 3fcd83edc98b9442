public import LineProtocol

/// A command type bound to its command in a dialect.
///
/// A binding is immutable, so any number of connections and threads can share it.
public final class CommandBinding<Command: ChatCommand>: Sendable {
    let plan: BindingPlan
    private let encoder: MessageEncoder

    /// Binds the type to the dialect's command that has the type's ``ChatCommand/name``.
    ///
    /// - Parameters:
    ///   - type: the command type.
    ///   - dialect: the dialect that defines the command.
    ///   - direction: the side that sends the command.
    /// - Throws: ``CommandError`` if the dialect lacks the command or a property does not fit its
    ///   argument.
    public init(
        _ type: Command.Type = Command.self, in dialect: Dialect, from direction: Direction
    ) throws(CommandError) {
        plan = try BindingPlan(type, dialect, direction)
        encoder = MessageEncoder(plan.format, direction: direction)
    }

    /// The command's index in `CommandTable.signatures`.
    public var commandIndex: Int { plan.command }
    /// The command's signature in the dialect.
    public var signature: CommandSignature { plan.signature }

    /// Appends the command's frame to `target`.
    ///
    /// - Throws: ``CommandError`` if the dialect cannot encode the command; `target` is then
    ///   unchanged.
    public func append(_ command: Command, to target: inout [UInt8]) throws(CommandError) {
        let arguments = ArgumentEncoder(plan)
        do {
            try command.encode(to: arguments)
        } catch {
            throw arguments.explain(error)
        }
        do {
            try encoder.append(plan.command, arguments.values, to: &target)
        } catch {
            throw CommandError(error, plan.signature)
        }
    }
}
