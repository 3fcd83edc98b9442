import Transport
import NIOCore

/// Stands at the end of the pipeline and tells the play what happens.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection
    private let play: any ConnectionListener

    init(_ connection: Connection, _ play: any ConnectionListener) {
        self.connection = connection
        self.play = play
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        play.received(unwrapInboundIn(data), connection)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, isCurrent(context) {
            play.peerClosed(connection, isWhole: false)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCurrent(context) { play.peerClosed(connection, isWhole: true) }
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isCurrent(context) {
            play.writabilityChanged(connection, isWritable: context.channel.isWritable)
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isCurrent(context) { play.failed(error, connection) }
        context.close(promise: nil)
    }

    /// Whether the connection is this channel, and not another one that was tried for it.
    private func isCurrent(_ context: ChannelHandlerContext) -> Bool {
        connection.channel === context.channel
    }
}

/// What a connection's end tells. All calls come on the event loop.
protocol ConnectionListener: AnyObject {
    /// Bytes arrived.
    func received(_ bytes: ByteBuffer, _ connection: Connection)
    /// The peer's direction has ended; with `isWhole` there is nothing left of the connection.
    func peerClosed(_ connection: Connection, isWhole: Bool)
    /// Something went wrong; the connection is about to end.
    func failed(_ error: any Error, _ connection: Connection)
    /// There is no room for more sends, or there is again.
    func writabilityChanged(_ connection: Connection, isWritable: Bool)
}
