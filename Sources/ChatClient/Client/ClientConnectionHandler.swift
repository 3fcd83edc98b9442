import NIOCore

/// Channel handler that passes a connection's events to the driver.
final class ClientConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let driver: ClientDriver
    /// Connection number, which lets the driver recognise events from old connections.
    private let number: Int
    private var reason = "the server closed the connection"

    init(_ driver: ClientDriver, number: Int) {
        self.driver = driver
        self.number = number
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        driver.received(bytes.readableBytesUInt8Span, on: number)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = "\(error)"
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        driver.disconnected(reason, on: number)
        context.fireChannelInactive()
    }
}
