import NIOCore
import NIOPosix

/// Answers `GET /metrics` with a page that is made for each request.
package final class MetricsServer: Sendable {
    /// How many connections may wait to be accepted.
    static let backlogMax: Int32 = 16

    /// Where it listens.
    package let address: ListenAddress
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    private init(
        _ address: ListenAddress, _ channel: any Channel, _ group: MultiThreadedEventLoopGroup
    ) {
        self.address = address
        self.channel = channel
        self.group = group
    }

    /// Starts listening.
    package static func start(
        at address: ListenAddress, page: @escaping @Sendable () -> String
    ) async throws(ServerError) -> MetricsServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let channel = try await ReferenceServer.listen(at: address, group, backlog: backlogMax)
            {
                try $0.pipeline.syncOperations.addHandler(MetricsHandler(page: page))
            }
            var settled = address
            if case .tcp = address, let local = channel.localAddress, let host = local.ipAddress,
                let port = local.port
            {
                settled = .tcp(host: host, port: port)
            }
            return MetricsServer(settled, channel, group)
        } catch {
            try? await group.shutdownGracefully()
            throw ServerError(error, listeningAt: address)
        }
    }

    /// Stops listening. It has to be called.
    package func shutdown() async {
        try? await channel.close().get()
        try? await group.shutdownGracefully()
    }
}
