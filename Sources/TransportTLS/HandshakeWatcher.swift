import NIOCore
import NIOSSL
import NIOTLS
import Transport

/// Stands behind TLS: tells when the handshake is done or has failed, and afterwards puts errors of
/// TLS into words.
final class HandshakeWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var promise: EventLoopPromise<Void>?

    init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

    /// Ends the wait for the handshake, if it has not ended.
    func fail(_ failure: ConnectFailure) {
        promise?.fail(failure)
        promise = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            let promise = self.promise
            self.promise = nil
            promise?.succeed()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if promise != nil { return fail(TLSReason.failure(error)) }
        // A peer that closes without the goodbye of TLS has closed all the same.
        if case NIOSSLError.uncleanShutdown = error { return }
        context.fireErrorCaught(error is IOError ? error : TLSReason.failure(error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(
            ConnectFailure("the server closed the connection during the TLS handshake", .handshake))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(ConnectFailure("the connection was given up during the TLS handshake"))
    }
}
