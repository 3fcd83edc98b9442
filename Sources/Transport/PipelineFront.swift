package import NIOCore

/// Stands at the front of the pipeline, so that a close can pass by TLS, which would say goodbye
/// first.
package final class PipelineFront: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Closes the socket and nothing more.
    package func close() { context?.close(mode: .all, promise: nil) }
}
