import NIOCore

/// Handler that pauses accepting when the process has run out of file descriptors or memory.
/// Otherwise, the event loop would retry immediately and use a whole core until a connection ends.
///
/// SwiftNIO's own backoff delays only the next read, but a failed read stays pending.
final class AcceptPause: ChannelInboundHandler, Sendable {
    typealias InboundIn = Channel

    /// Time until the next attempt.
    static let pause = TimeAmount.milliseconds(100)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard error is IOError else { return }
        let channel = context.channel
        _ = channel.setOption(.autoRead, value: false)
        channel.eventLoop.scheduleTask(in: Self.pause) {
            _ = channel.setOption(.autoRead, value: true)
        }
    }
}
