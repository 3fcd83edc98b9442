import Transport
import NIOCore

/// The last handler of a channel pipeline. It passes events to the session loop.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection
    private let loop: any ConnectionListener

    init(_ connection: Connection, _ loop: any ConnectionListener) {
        self.connection = connection
        self.loop = loop
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        loop.received(unwrapInboundIn(data), connection)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, isCurrent(context) {
            loop.peerClosed(connection, isWhole: false)
        }
        if let close = event as? WebSocketClose, isCurrent(context) {
            loop.closing(close, connection)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCurrent(context) { loop.peerClosed(connection, isWhole: true) }
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isCurrent(context) {
            loop.writabilityChanged(connection, isWritable: context.channel.isWritable)
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isCurrent(context) { loop.failed(error, connection) }
        context.close(promise: nil)
    }

    /// Returns true if the connection uses this channel; false if the channel belongs to another
    /// attempt to connect.
    private func isCurrent(_ context: ChannelHandlerContext) -> Bool {
        connection.channel === context.channel
    }
}

/// A receiver of connection events. All methods are called on the event loop.
protocol ConnectionListener: AnyObject {
    /// Data was received.
    func received(_ bytes: ByteBuffer, _ connection: Connection)
    /// The peer explained why it is about to close the connection.
    func closing(_ close: WebSocketClose, _ connection: Connection)
    /// The peer closed its sending direction, or the whole connection if `isWhole` is true.
    func peerClosed(_ connection: Connection, isWhole: Bool)
    /// The connection failed and is about to be closed.
    func failed(_ error: any Error, _ connection: Connection)
    /// The send buffer has become full or, if `isWritable` is true, can accept data again.
    func writabilityChanged(_ connection: Connection, isWritable: Bool)
}
