public import LineProtocol
import Synchronization

/// Writes the commands of one side as lines of a dialect. One value serves any number of connections and
/// threads.
public final class CommandWriter: Sendable {
    private let dialect: Dialect
    private let direction: Direction
    private let bindings = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// - Parameter direction: whose commands are written.
    public init(_ dialect: Dialect, from direction: Direction) {
        self.dialect = dialect
        self.direction = direction
    }

    /// Binds a type before its first command is written, so that what does not fit is told early.
    public func prepare<Command: ChatCommand>(_ type: Command.Type) throws(CommandError) {
        _ = try binding(type)
    }

    /// Appends the command's frame to `target`, or throws and leaves it as it was.
    public func append<Command: ChatCommand>(
        _ command: Command, to target: inout [UInt8]
    ) throws(CommandError) {
        try binding(Command.self).append(command, to: &target)
    }

    /// The command's frame.
    public func bytes<Command: ChatCommand>(of command: Command) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(command, to: &bytes)
        return bytes
    }

    private func binding<Command: ChatCommand>(
        _ type: Command.Type
    ) throws(CommandError) -> CommandBinding<Command> {
        let id = ObjectIdentifier(type)
        if let known = bindings.withLock({ $0[id] }) {
            // Under the id of a type stands nothing but its own binding.
            return unsafe unsafeDowncast(known, to: CommandBinding<Command>.self)
        }
        let binding = try CommandBinding(type, in: dialect, from: direction)
        bindings.withLock { $0[id] = binding }
        return binding
    }
}
