/// Turns lines into typed messages by a dialect's command table.
///
/// One value serves any number of connections; what a line leaves behind is in the ``Message`` given.
public struct MessageDecoder: Sendable {
    /// The commands that lines are decoded by.
    public let commands: CommandTable
    private let reader: ArgumentReader

    /// A decoder of the dialect's lines, of both directions.
    public init(_ dialect: Dialect) {
        commands = dialect.commands
        reader = ArgumentReader(dialect)
    }

    /// Decodes the line of `frame`, which stands in `bytes`.
    public func decode(
        _ bytes: Span<UInt8>, _ frame: Frame, from direction: Direction, into message: inout Message
    ) {
        message.direction = direction
        message.payload = frame.payload
        message.payloadIsBlock = frame.payloadIsBlock
        message.extra.clear()
        let line = frame.line
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe reader.read(buffer, line, into: &message)
        }
    }

    /// Decodes one line that stands alone.
    public func decode(
        _ line: [UInt8], from direction: Direction, into message: inout Message
    ) {
        decode(
            line.span, Frame(line: 0..<line.count, whole: 0..<line.count), from: direction,
            into: &message)
    }
}
