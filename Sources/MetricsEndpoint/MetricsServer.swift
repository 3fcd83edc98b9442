package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
package import Transport

/// An HTTP server that answers `GET /metrics` with a page that is generated for each request.
package final class MetricsServer: Sendable {
    /// The maximum number of connections waiting to be accepted.
    static let backlogMax: Int32 = 16
    /// The maximum number of open connections. Further connections are closed immediately.
    static let connectionsMax = 64
    /// The maximum lifetime of a connection.
    static let connectionTimeMax = TimeAmount.seconds(10)

    /// The address that the server listens on, with the actual port.
    package let address: ListenAddress
    private let channel: any Channel

    private init(_ address: ListenAddress, _ channel: any Channel) {
        self.address = address
        self.channel = channel
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - group: the event loops for connections.
    ///   - page: returns the page. It is called on an event loop.
    package static func start(
        at address: ListenAddress,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        page: @escaping @Sendable () -> String
    ) async throws(ListenFailure) -> MetricsServer {
        let connections = ConnectionCount()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlogMax)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                guard connections.add(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    try configure(channel.pipeline.syncOperations, page: page)
                }
            }
            .bind(to: address)
        return MetricsServer(address.settled(by: channel), channel)
    }

    /// Adds the handlers for a connection.
    static func configure(
        _ pipeline: ChannelPipeline.SynchronousOperations, page: @escaping () -> String
    ) throws {
        try pipeline.addHandler(RequestSizeLimit())
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(MetricsHandler(page: page))
    }

    package func shutdown() async { try? await channel.close().get() }
}

final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    /// Counts a connection until it is closed. Returns false if there are too many connections.
    func add(_ channel: any Channel) -> Bool {
        let (_, new) = count.add(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
        return new <= MetricsServer.connectionsMax
    }
}
