/// Decoder that turns lines into typed messages, using a dialect's command table.
///
/// A decoder has no state of its own, so any number of connections can share it; the results are
/// stored in a ``Message``.
public struct MessageDecoder: Sendable {
    /// The command table.
    public let commands: CommandTable
    private let arguments: LineArgumentDecoder

    /// Creates a decoder for both directions of the dialect.
    public init(_ dialect: Dialect) {
        commands = dialect.commands
        arguments = LineArgumentDecoder(dialect)
    }

    /// Decodes the line of `frame` in `bytes`.
    public func decode(
        _ bytes: Span<UInt8>, _ frame: Frame, from direction: Direction, into message: inout Message
    ) {
        message.direction = direction
        message.payload = frame.payload
        message.payloadIsBlock = frame.payloadIsBlock
        message.extra.clear()
        let line = frame.line
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe arguments.read(buffer, line, into: &message)
        }
    }

    /// Decodes a line that is not part of a frame.
    public func decode(
        _ line: [UInt8], from direction: Direction, into message: inout Message
    ) {
        decode(
            line.span, Frame(line: 0..<line.count, whole: 0..<line.count), from: direction,
            into: &message)
    }
}
