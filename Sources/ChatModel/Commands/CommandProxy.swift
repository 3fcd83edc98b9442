public import LineProtocol

/// The outgoing side of a connection: sending a command is calling it.
///
/// It knows no sockets: whoever has one gives what takes the bytes.
public struct CommandProxy: Sendable {
    private let writer: CommandWriter
    private let transmit: @Sendable ([UInt8]) throws -> Void

    /// A proxy that speaks `dialect`.
    ///
    /// - Parameters:
    ///   - direction: whose commands are sent.
    ///   - transmit: takes the bytes of one command, and must not block.
    public init(
        _ dialect: Dialect, from direction: Direction = .fromClient,
        transmit: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        writer = CommandWriter(dialect, from: direction)
        self.transmit = transmit
    }

    /// Sends the command.
    ///
    /// - Throws: ``CommandError`` if the dialect has no line for it; or what `transmit` throws.
    public func send(_ command: some ChatCommand) throws {
        try transmit(try writer.bytes(of: command))
    }

    /// Binds a type before its first command is sent, so that what does not fit is told early.
    public func prepare(_ type: (some ChatCommand).Type) throws(CommandError) {
        try writer.prepare(type)
    }
}
