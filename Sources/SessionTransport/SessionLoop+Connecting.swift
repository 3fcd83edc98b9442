import Transport
import NIOCore
import NIOPosix
import Session

extension SessionLoop where Machine: ~Copyable {
    func connect(_ id: ConnectionID) {
        guard connections[id] == nil else { return }
        let connection = Connection(id)
        connections[id] = connection
        if context.endpoint.isSecure, context.security == nil {
            connectFailed(
                ConnectFailure("the server address requires TLS, but TLS is not configured"),
                connection)
            return
        }
        attempt(connection).assumeIsolated().whenComplete { outcome in
            switch outcome {
            case .success(let channel): self.connected(channel, connection)
            case .failure(let error): self.connectFailed(error, connection)
            }
        }
    }

    private func attempt(_ connection: Connection) -> EventLoopFuture<any Channel> {
        let bound = NIOLoopBound((connection, self), eventLoop: eventLoop)
        let unsentBytesMax = limits.unsentBytesMax
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.nanoseconds(limits.connectTimeout))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(
                .writeBufferWaterMark, value: .init(low: unsentBytesMax / 2, high: unsentBytesMax)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (connection, loop) = bound.value
                    connection.attempts.append(channel)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(PipelineFront())
                    try pipeline.addHandler(ConnectionHandler(connection, loop))
                }
            }
        guard let sources = context.sources else {
            return bootstrap.connect(to: context.endpoint, on: eventLoop)
        }
        do {
            return bootstrap.bind(to: try sources.next()).connect(to: sources.server)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }

    /// Handles a socket that has connected. If TLS or WebSocket is required, starts the handshake.
    private func connected(_ channel: any Channel, _ connection: Connection) {
        guard connection.phase == .connecting else { return channel.close(promise: nil) }
        connection.channel = channel
        connection.attempts = []
        guard context.endpoint.needsHandshake else {
            // Wait for the next iteration of the event loop, because NIO combines writes until
            // then.
            return eventLoop.assumeIsolated().execute { self.open(connection) }
        }
        let timeout = eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(limits.connectTimeout)
        ) {
            let time = ConnectFailure.seconds(self.limits.connectTimeout)
            self.connectFailed(self.lateHandshake("within \(time)"), connection)
        }
        do {
            let front = try channel.pipeline.syncOperations.handler(type: PipelineFront.self)
            context.endpoint.shakeHands(channel, at: .after(front), context.security)
                .assumeIsolated().whenComplete { outcome in
                    timeout.cancel()
                    switch outcome {
                    case .success: self.open(connection)
                    case .failure(let error): self.connectFailed(error, connection)
                    }
                }
        } catch {
            timeout.cancel()
            connectFailed(error, connection)
        }
    }

    private func open(_ connection: Connection) {
        guard connection.phase == .connecting else { return }
        connection.phase = .open
        connectionsMade += 1
        emit(.connected(connection.id))
        let early = connection.early
        connection.early = []
        for bytes in early { received(bytes, connection) }
        let isWhole = connection.channel?.isActive == false
        if isWhole || connection.isClosedEarly { peerClosed(connection, isWhole: isWhole) }
    }

    private func connectFailed(_ error: any Error, _ connection: Connection) {
        guard connection.phase == .connecting else { return }
        let failure = ConnectFailure(
            error, endpoint: context.endpoint, timeout: limits.connectTimeout)
        connectFailure = failure
        emit(.connectFailed(connection.id, reason: failure.reason))
        discard(connection)
    }

    /// Closes and forgets a connection that has ended or that is no longer needed.
    func discard(_ connection: Connection) {
        if connection.phase == .connecting { givenUp = unfinished(connection) }
        connection.phase = .gone
        connection.drainTimer?.cancel()
        connection.drainTimer = nil
        connections[connection.id] = nil
        if stalled.remove(connection.id) != nil { settle() }
        let channels = connection.attempts + [connection.channel].compactMap(\.self)
        connection.attempts = []
        for channel in channels { front(of: channel)?.close() }
        endIfEmpty()
    }

    /// Returns the reason a connection was not established while the session waited for it.
    private func unfinished(_ connection: Connection) -> ConnectFailure {
        connection.channel == nil
            ? ConnectFailure("\(context.endpoint.location) did not answer in time")
            : lateHandshake("in time")
    }

    private func lateHandshake(_ when: String) -> ConnectFailure {
        let endpoint = context.endpoint
        return ConnectFailure(
            "\(endpoint.location) did not finish the \(endpoint.handshakeName) \(when)",
            endpoint.isSecure ? .handshake : .webSocket)
    }

    func front(of channel: any Channel) -> PipelineFront? {
        try? channel.pipeline.syncOperations.handler(type: PipelineFront.self)
    }
}
