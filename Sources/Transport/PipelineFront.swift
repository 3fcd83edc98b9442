package import NIOCore

/// The first handler of a pipeline. It can close the socket without the close alert that TLS would
/// send.
package final class PipelineFront: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Closes the socket without notifying other handlers.
    package func close() { context?.close(mode: .all, promise: nil) }
}
