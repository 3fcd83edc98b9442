public import LineProtocol
import Synchronization

/// An encoder that writes the commands of one side (client or server) as lines of a dialect. Any
/// number of connections and threads can share a writer.
public final class CommandWriter: Sendable {
    private let dialect: Dialect
    private let direction: Direction
    private let bindings = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the lines.
    ///   - direction: the side that sends the commands.
    public init(_ dialect: Dialect, from direction: Direction) {
        self.dialect = dialect
        self.direction = direction
    }

    /// Binds a type in advance, so that a mismatch is reported before the first command is written.
    ///
    /// - Throws: ``CommandError`` if the type does not fit the dialect.
    public func prepare<Command: ChatCommand>(_ type: Command.Type) throws(CommandError) {
        _ = try binding(type)
    }

    /// Appends the command's frame to `target`.
    ///
    /// - Throws: ``CommandError`` if the type does not fit the dialect or the command cannot be
    ///   encoded; `target` is then unchanged.
    public func append<Command: ChatCommand>(
        _ command: Command, to target: inout [UInt8]
    ) throws(CommandError) {
        try binding(Command.self).append(command, to: &target)
    }

    /// Returns the command's frame.
    ///
    /// - Throws: ``CommandError`` if the type does not fit the dialect or the command cannot be
    ///   encoded.
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
            // The key is the id of the type, so the value must be a binding of that type.
            return unsafe unsafeDowncast(known, to: CommandBinding<Command>.self)
        }
        let binding = try CommandBinding(type, in: dialect, from: direction)
        bindings.withLock { $0[id] = binding }
        return binding
    }
}
