import LineProtocol
import NIOCore
import NIOPosix
import Transport

/// A connection factory that connects to the server selected by a router.
struct ClientConnector: Sendable {
    let router: any ChatRouter
    let security: (any ConnectionSecurity)?
    let dialect: Dialect
    let options: ChatClientOptions

    /// Connects to the server that the router selects for the account. Returns a future for the
    /// channel and the account to log in with, and the task that waits for the router.
    func connect(
        _ account: ChatAccount, on eventLoop: any EventLoop,
        _ handler: @escaping () -> ClientConnectionHandler
    ) -> (EventLoopFuture<(any Channel, ChatAccount)>, Task<Void, Never>) {
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        let routed = eventLoop.makePromise(of: ChatRoute.self)
        let router = router
        let routing = Task {
            do {
                routed.succeed(try await router.route(account))
            } catch {
                routed.fail(error)
            }
        }
        let connected = routed.futureResult.flatMap { route in
            connect(
                route.endpoint.withDefaultPort(dialect.port).speaking(dialect), on: eventLoop, bound
            )
            .map { ($0, route.account) }
        }
        return (connected, routing)
    }

    private func connect(
        _ endpoint: Endpoint, on eventLoop: any EventLoop,
        _ handler: NIOLoopBound<() -> ClientConnectionHandler>
    ) -> EventLoopFuture<any Channel> {
        if endpoint.isSecure, security == nil {
            return eventLoop.makeFailedFuture(
                ConnectFailure(
                    "the endpoint requires TLS, but the client was created without TLS"))
        }
        return socket(endpoint, on: eventLoop)
            .flatMap { channel in shakeHands(channel, endpoint) }
            .flatMap { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value())
                }.flatMap {
                    channel.setOption(.autoRead, value: true).map { channel }
                }
            }
            .flatMapErrorThrowing { error in
                throw ConnectFailure(
                    error, endpoint: endpoint, timeout: options.connectWithinMax)
            }
    }

    /// Opens a socket. Nothing is read from it until its handlers are in place.
    private func socket(
        _ endpoint: Endpoint, on eventLoop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: eventLoop)
            .connectTimeout(.nanoseconds(options.connectWithinMax))
            .channelOption(.autoRead, value: false)
            .connect(to: endpoint, on: eventLoop)
    }

    private func shakeHands(
        _ channel: any Channel, _ endpoint: Endpoint
    ) -> EventLoopFuture<any Channel> {
        guard endpoint.needsHandshake else {
            return channel.eventLoop.makeSucceededFuture(channel)
        }
        let timeout = channel.eventLoop.scheduleTask(in: .nanoseconds(options.connectWithinMax)) {
            channel.close(promise: nil)
        }
        let done = endpoint.shakeHands(channel, at: .first, security)
        // The handshake can only take place if reading is enabled.
        return channel.setOption(.autoRead, value: true).flatMap { done }
            .map { channel }
            .always { outcome in
                timeout.cancel()
                if case .failure = outcome { channel.close(promise: nil) }
            }
    }
}
