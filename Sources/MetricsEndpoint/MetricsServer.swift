package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
package import Transport

/// A server that answers `GET /metrics` over HTTP with a page that is made for each request.
package final class MetricsServer: Sendable {
    /// How many connections may wait to be accepted.
    static let backlogMax: Int32 = 16
    /// How many connections may be open; further ones are closed at once.
    static let connectionsMax = 64
    /// How long a connection may last.
    static let connectionTimeMax = TimeAmount.seconds(10)

    /// Where it listens, with the port that it was given.
    package let address: ListenAddress
    private let channel: any Channel

    private init(_ address: ListenAddress, _ channel: any Channel) {
        self.address = address
        self.channel = channel
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - group: the event loops that serve it.
    ///   - page: returns the page; called on one of the event loops.
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

    /// Adds what serves one connection.
    static func configure(
        _ pipeline: ChannelPipeline.SynchronousOperations, page: @escaping () -> String
    ) throws {
        try pipeline.addHandler(RequestSizeLimit())
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(MetricsHandler(page: page))
    }

    /// Stops listening.
    package func shutdown() async { try? await channel.close().get() }
}

/// The number of open connections.
final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    /// Counts a connection until it is closed; returns false if there are too many.
    func add(_ channel: any Channel) -> Bool {
        let (_, new) = count.add(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
        return new <= MetricsServer.connectionsMax
    }
}
