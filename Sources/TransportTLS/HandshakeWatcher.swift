#if TLS
    import NIOCore
    import NIOSSL
    import NIOTLS
    import Transport

    /// The handler after the TLS handler in a pipeline. Completes a promise when the handshake
    /// succeeds or fails, and converts later TLS errors to ``ConnectFailure``.
    final class HandshakeWatcher: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var promise: EventLoopPromise<Void>?

        /// The name that the certificate must be valid for; nil for the server's address.
        private let expectedName: String?

        init(_ promise: EventLoopPromise<Void>, expecting name: String?) {
            self.promise = promise
            expectedName = name
        }

        /// Returns the names in the server's certificate.
        private func certificateNames(_ context: ChannelHandlerContext) -> [String] {
            let handler = try? context.pipeline.syncOperations.handler(
                type: NIOSSLClientHandler.self)
            return handler?.peerCertificate.map(CertificateNames.names) ?? []
        }

        /// Fails the promise if the handshake has not finished.
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
            if promise != nil {
                let names = certificateNames(context)
                return fail(
                    TLSReason.failure(error, expected: expectedName, certificateNames: names))
            }
            // A peer may close the connection without a TLS close alert.
            if case NIOSSLError.uncleanShutdown = error { return }
            context.fireErrorCaught(error is IOError ? error : TLSReason.failure(error))
        }

        func channelInactive(context: ChannelHandlerContext) {
            fail(
                ConnectFailure(
                    "the server closed the connection during the TLS handshake", .handshake))
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            fail(ConnectFailure("the connection was abandoned during the TLS handshake"))
        }
    }
#endif
