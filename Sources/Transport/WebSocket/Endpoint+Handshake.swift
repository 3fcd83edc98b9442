package import NIOCore

extension Endpoint {
    /// True if a connection needs a TLS or WebSocket handshake before it can be used, or a header of
    /// the PROXY protocol.
    package var needsHandshake: Bool { isSecure || webSocket != nil || proxy != nil }

    /// The name of the handshake that a connection waits for, as shown in error messages.
    package var handshakeName: String {
        if webSocket == nil { return "TLS handshake" }
        return isSecure ? "TLS or WebSocket handshake" : "WebSocket handshake"
    }

    /// Sends the header of the PROXY protocol if the endpoint needs one, and adds the TLS and
    /// WebSocket handlers that it needs to the pipeline of an open connection. Must be called on the
    /// connection's event loop.
    ///
    /// - Parameters:
    ///   - position: the position of the first handler. The other handlers follow it.
    ///   - security: adds TLS; required if the endpoint uses TLS.
    /// - Returns: a future that succeeds when data can be sent. If a handshake fails, the future
    ///   fails with a ``ConnectFailure``.
    package func shakeHands(
        _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
        _ security: (any ConnectionSecurity)?
    ) -> EventLoopFuture<Void> {
        let eventLoop = channel.eventLoop
        if let proxy {
            do {
                try channel.pipeline.syncOperations.addHandler(
                    ProxyHeaderSender(proxy), position: position)
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
        }
        guard let webSocket else { return secure(channel, at: position, security) }
        let handshake = WebSocketClientHandshake(self, webSocket)
        do {
            try channel.pipeline.syncOperations.addHandler(handshake, position: position)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let promise = eventLoop.makePromise(of: Void.self)
        // TLS is added at the same position, so that it precedes WebSocket.
        secure(channel, at: position, security).assumeIsolated().whenComplete { outcome in
            switch outcome {
            case .success: handshake.begin(promise)
            case .failure(let error): promise.fail(error)
            }
        }
        return promise.futureResult
    }

    private func secure(
        _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
        _ security: (any ConnectionSecurity)?
    ) -> EventLoopFuture<Void> {
        guard isSecure else { return channel.eventLoop.makeSucceededVoidFuture() }
        guard let security else {
            return channel.eventLoop.makeFailedFuture(
                ConnectFailure("the server address requires TLS, but TLS is not configured"))
        }
        return security.secure(channel, at: position, host: host)
    }
}
