public import LineProtocol

/// A sender of commands over a connection.
///
/// A proxy has no socket of its own: its creator provides a closure that sends the bytes.
public struct CommandProxy: Sendable {
    private let writer: CommandWriter
    private let transmit: @Sendable ([UInt8]) throws -> Void

    /// Creates a proxy that encodes commands in `dialect`.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the lines.
    ///   - direction: the side that sends the commands.
    ///   - transmit: sends the bytes of one command. It must not block.
    public init(
        _ dialect: Dialect, from direction: Direction = .fromClient,
        transmit: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        writer = CommandWriter(dialect, from: direction)
        self.transmit = transmit
    }

    /// Encodes and sends a command.
    ///
    /// - Throws: ``CommandError`` if the dialect cannot encode it, or any error that `transmit`
    ///   throws.
    public func send(_ command: some ChatCommand) throws {
        try transmit(try writer.bytes(of: command))
    }

    /// Binds a type in advance, so that a mismatch is reported before the first command is sent.
    ///
    /// - Throws: ``CommandError`` if the type does not fit the dialect.
    public func prepare(_ type: (some ChatCommand).Type) throws(CommandError) {
        try writer.prepare(type)
    }
}
