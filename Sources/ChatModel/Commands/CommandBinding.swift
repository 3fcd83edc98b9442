public import LineProtocol

/// A command type, bound to its command in a dialect: properties to arguments by name, once.
///
/// One value serves any number of connections.
public struct CommandBinding<Command: ChatCommand>: Sendable {
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

    /// The command that `message` is, which was decoded from `buffer`.
    func command(
        _ message: borrowing Message, _ buffer: Span<UInt8>, _ arguments: ArgumentDecoder
    ) throws(CommandError) -> Command {
        if !message.issues.isEmpty { try plan.check(message, buffer) }
        arguments.fill(plan, message, buffer)
        do {
            return try Command(from: arguments)
        } catch {
            throw arguments.explain(error)
        }
    }

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
