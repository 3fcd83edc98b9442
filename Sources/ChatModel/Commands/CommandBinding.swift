public import LineProtocol

/// A command type, bound to its command in a dialect: properties to arguments by name, once.
///
/// One value serves any number of connections.
public final class CommandBinding<Command: ChatCommand>: Sendable {
    let plan: BindingPlan
    private let encoder: MessageEncoder

    /// Binds the type, or says which argument keeps it from being bound.
    ///
    /// - Parameter direction: whose command it is.
    public init(
        _ type: Command.Type = Command.self, in dialect: Dialect, from direction: Direction
    ) throws(CommandError) {
        plan = try BindingPlan(type, dialect, direction)
        encoder = MessageEncoder(plan.format, direction: direction)
    }

    /// The command's place in ``CommandTable/signatures``.
    public var place: Int { plan.command }
    /// The command in the dialect's table.
    public var signature: CommandSignature { plan.signature }

    /// Appends the command's frame to `target`, or throws and leaves it as it was.
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
