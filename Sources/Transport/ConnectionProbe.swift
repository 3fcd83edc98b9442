import NIOCore
public import NIOPosix

/// Test connections that show whether a server is listening.
public enum ConnectionProbe {
    /// Returns true if a connection can be made before the timeout. That connection is closed
    /// immediately.
    public static func accepts(
        _ endpoint: Endpoint, withinNanoseconds timeout: Int64 = 1_000_000_000,
        group: MultiThreadedEventLoopGroup = .singleton
    ) async -> Bool {
        await failure(of: endpoint, withinNanoseconds: timeout, group: group) == nil
    }

    /// Connects and closes the connection immediately. Returns nil if that succeeds before the
    /// timeout, otherwise the reason it fails. TLS is not used.
    public static func failure(
        of endpoint: Endpoint, withinNanoseconds timeout: Int64 = 10_000_000_000,
        group: MultiThreadedEventLoopGroup = .singleton
    ) async -> ConnectFailure? {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.nanoseconds(timeout))
        do {
            let channel = try await bootstrap.connect(to: endpoint, on: group.next()).get()
            try? await channel.close()
            return nil
        } catch {
            return ConnectFailure(error, endpoint: endpoint, timeout: timeout)
        }
    }

    /// Connects, completes the TLS and WebSocket handshakes if the endpoint uses them, and closes
    /// the connection. Returns nil if that succeeds before the timeout, otherwise the reason it
    /// fails.
    package static func failure(
        of endpoint: Endpoint, securedBy security: (any ConnectionSecurity)?,
        withinNanoseconds timeout: Int64 = 10_000_000_000,
        group: MultiThreadedEventLoopGroup = .singleton
    ) async -> ConnectFailure? {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.nanoseconds(timeout))
        do {
            let channel = try await bootstrap.connect(to: endpoint, on: group.next()).get()
            let late = channel.eventLoop.scheduleTask(in: .nanoseconds(timeout)) {
                channel.close(promise: nil)
            }
            defer {
                late.cancel()
                channel.close(promise: nil)
            }
            guard endpoint.needsHandshake else { return nil }
            try await channel.eventLoop.flatSubmit {
                endpoint.shakeHands(channel, at: .first, security)
            }.get()
            return nil
        } catch {
            return ConnectFailure(error, endpoint: endpoint, timeout: timeout)
        }
    }

    /// The pause between two attempts, in nanoseconds.
    private static let pause: Int64 = 100_000_000

    /// Tries to connect until the server accepts a connection, the time limit is reached or the
    /// task is cancelled. Returns nil if the server accepted, otherwise the reason the last attempt
    /// failed.
    public static func failure(
        of endpoint: Endpoint, afterNanoseconds limit: Int64
    ) async -> ConnectFailure? {
        let clock = ContinuousClock()
        let deadline = clock.now + .nanoseconds(limit)
        while true {
            let left = (deadline - clock.now).components
            let rest = left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000
            let reason = await failure(of: endpoint, withinNanoseconds: max(rest, pause))
            guard reason != nil, rest > 0, !Task.isCancelled else { return reason }
            try? await Task.sleep(for: .nanoseconds(min(pause, rest)))
        }
    }
}
