import Glibc
import HTTPEndpoint
package import LineProtocol
import Logging
import NIOCore
import NIOPosix
import Synchronization
package import Transport

/// A running reference chat server.
package final class ReferenceServer: Sendable {
    /// The server's listening address, including the assigned port.
    package let address: ListenAddress
    /// HTTP address of the metrics; nil if they are not enabled.
    package var metricsAddress: ListenAddress? { metrics?.address }
    private let channel: any Channel
    private let metrics: HTTPServer?
    private let group: MultiThreadedEventLoopGroup
    private let driver: NIOLoopBound<ServiceDriver>
    private let isEnded = Mutex(false)

    /// The server's port; nil for a Unix socket.
    package var port: Int? { channel.localAddress?.port }

    private init(
        _ address: ListenAddress, _ channel: any Channel, metrics: HTTPServer?,
        _ group: MultiThreadedEventLoopGroup, _ driver: NIOLoopBound<ServiceDriver>
    ) {
        self.channel = channel
        self.metrics = metrics
        self.group = group
        self.driver = driver
        if case .tcp(let host, _) = address, let port = channel.localAddress?.port {
            self.address = .tcp(host: host, port: port)
        } else {
            self.address = address
        }
    }

    /// Starts a server for `dialect`.
    ///
    /// - Throws: ``ServerError`` if the dialect lacks a command that the server needs, or if the
    ///   server cannot listen on the address.
    package static func start(
        at address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), speaking dialect: Dialect,
        options: ServerOptions? = nil
    ) async throws(ServerError) -> ReferenceServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            return try await start(address, dialect, options ?? ServerOptions(dialect), group)
        } catch {
            try? await group.shutdownGracefully()
            throw error as? ServerError ?? ServerError(ListenFailure(error, at: address))
        }
    }

    private static func start(
        _ address: ListenAddress, _ dialect: Dialect, _ options: ServerOptions,
        _ group: MultiThreadedEventLoopGroup
    ) async throws -> ReferenceServer {
        let loop = group.next()
        var options = options
        options.rules.wallClockOffset = wallClockOffset()
        let settled = options
        let driver = try await loop.submit {
            NIOLoopBound(try ServiceDriver(dialect, settled, loop), eventLoop: loop)
        }.get()
        let channel = try await listen(at: address, group, backlog: settled.acceptBacklogMax) {
            try settled.prepareConnection?($0)
            try $0.pipeline.syncOperations.addHandler(ClientHandler(driver.value))
        }
        var metrics: HTTPServer?
        if let metricsAddress = settled.metrics {
            do {
                metrics = try await MetricsServer.start(at: metricsAddress, on: loop) {
                    driver.value.metricsPage
                }
            } catch {
                try? await channel.close()
                throw ServerError(error)
            }
        }
        let server = ReferenceServer(address, channel, metrics: metrics, group, driver)
        settled.logger.notice(
            "listening", metadata: ["address": "\(server.address)", "dialect": "\(dialect.name)"])
        return server
    }

    /// Binds the listening socket, and prepares each accepted connection with `prepare`.
    static func listen(
        at address: ListenAddress, _ group: MultiThreadedEventLoopGroup, backlog: Int32,
        _ prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws(ServerError) -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // Each connection keeps its read buffer. NIO starts with 2 KiB, but requests are short.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            }
        do {
            return try await bootstrap.bind(to: address)
        } catch {
            throw ServerError(error)
        }
    }

    /// Returns the difference between Unix time and the event loop's clock, in nanoseconds.
    private static func wallClockOffset() -> Int64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        let wall = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return wall - Int64(clamping: NIODeadline.now().uptimeNanoseconds)
    }

    /// Returns the current connection, session and chat counts, which are 0 after shutdown.
    package func counts() async -> ServerCounts {
        guard !isEnded.withLock(\.self) else { return ServerCounts() }
        let driver = driver
        let counts = try? await driver.eventLoop.submit { driver.value.counts }.get()
        return counts ?? ServerCounts()
    }

    /// Stops listening, notifies every client, flushes the clients' output, and closes all
    /// connections.
    ///
    /// This takes at most ``ServerOptions/lingerMillisecondsMax``, regardless of what clients do.
    /// Every server must be shut down. Further calls return immediately.
    package func shutdown() async {
        let wasEnded = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return isEnded
        }
        guard !wasEnded else { return }
        try? await channel.close().get()
        await metrics?.shutdown()
        if case .unixSocket(let path) = address { _ = unsafe unlink(path) }
        let driver = driver
        try? await driver.eventLoop.flatSubmit { driver.value.shutDown() }.get()
        try? await group.shutdownGracefully()
    }
}

/// Numbers of a server's open connections, sessions and chats.
package struct ServerCounts: Sendable, Hashable {
    package var connections = 0
    package var sessions = 0
    package var chats = 0

    package init(connections: Int = 0, sessions: Int = 0, chats: Int = 0) {
        self.connections = connections
        self.sessions = sessions
        self.chats = chats
    }
}

extension ServerError {
    init(_ failure: ListenFailure) {
        self.init(failure.isAddressInUse ? .addressInUse : .cannotListen, failure.message)
    }
}
