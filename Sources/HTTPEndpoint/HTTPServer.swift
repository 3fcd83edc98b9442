package import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
package import Transport

/// A small HTTP server for metrics and live pages. Each connection serves one request.
package final class HTTPServer: Sendable {
    /// Maximum number of connections waiting to be accepted.
    static let backlogMax: Int32 = 16
    /// Maximum number of open connections. Further connections are closed immediately.
    static let connectionsMax = 64
    /// Maximum lifetime of a connection without server-sent events.
    static let connectionTimeMax = TimeAmount.seconds(10)

    /// Address the server listens on, with the actual port.
    package let address: ListenAddress
    private let channel: any Channel

    private init(_ address: ListenAddress, _ channel: any Channel) {
        self.address = address
        self.channel = channel
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - group: The event loops for connections.
    ///   - answer: Returns the reply to a request. It is called on an event loop.
    package static func start(
        at address: ListenAddress,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        answer: @escaping @Sendable (HTTPRequest) -> HTTPReply
    ) async throws(ListenFailure) -> HTTPServer {
        let connections = ConnectionCount()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlogMax)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                guard connections.add(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    try configure(channel.pipeline.syncOperations, answer: answer)
                }
            }
            .bind(to: address)
        return HTTPServer(address.settled(by: channel), channel)
    }

    /// Adds a connection's handlers.
    package static func configure(
        _ pipeline: ChannelPipeline.SynchronousOperations,
        answer: @escaping (HTTPRequest) -> HTTPReply
    ) throws {
        try pipeline.addHandler(RequestSizeLimit())
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(RequestHandler(answer: answer))
    }

    package func shutdown() async { try? await channel.close().get() }
}

/// Counter of open connections, to enforce their maximum number.
final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    /// Counts a connection until it is closed. Returns false if too many connections are open.
    func add(_ channel: any Channel) -> Bool {
        let (_, new) = count.add(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
        return new <= HTTPServer.connectionsMax
    }
}
