import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Transport

/// An event on the server.
enum Seen: Sendable, Equatable {
    case accepted
    case bytes(String)
    case fin, reset
}

/// A single-threaded server controlled by a test, which records its events.
struct TestServer: Sendable {
    typealias Reaction = @Sendable (Seen, any Channel) -> Void

    let endpoint: Endpoint
    private let log: SeenLog

    /// The events of connections in order, up to and including the first for which `isLast` is
    /// true.
    func seen(until isLast: @escaping @Sendable (Seen) -> Bool) async -> [Seen] {
        await log.entries(until: isLast)
    }

    /// Runs a server for the duration of `body`.
    static func run(
        host: String = "127.0.0.1", unixPath: String? = nil, autoRead: Bool = true,
        prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in },
        react: @escaping Reaction, _ body: (TestServer) async throws -> Void
    ) async throws {
        let log = SeenLog()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: autoRead)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    try channel.pipeline.syncOperations.addHandler(ServerHandler(log, react))
                }
            }
        let channel: any Channel
        let endpoint: Endpoint
        if let unixPath {
            channel = try await bootstrap.bind(unixDomainSocketPath: unixPath).get()
            endpoint = Endpoint(.unix(path: unixPath))
        } else {
            channel = try await bootstrap.bind(host: host, port: 0).get()
            endpoint = Endpoint(.host(host, port: channel.localAddress?.port))
        }
        do {
            try await body(TestServer(endpoint: endpoint, log: log))
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }
}

/// The server's events; each one wakes those waiting.
private final class SeenLog: Sendable {
    private let stream: AsyncStream<Seen>
    private let continuation: AsyncStream<Seen>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ seen: Seen) { continuation.yield(seen) }

    func entries(until isLast: (Seen) -> Bool) async -> [Seen] {
        var entries: [Seen] = []
        for await seen in stream {
            entries.append(seen)
            if isLast(seen) { break }
        }
        return entries
    }
}

private final class ServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let log: SeenLog
    private let react: TestServer.Reaction
    private var isEnded = false

    init(_ log: SeenLog, _ react: @escaping TestServer.Reaction) {
        self.log = log
        self.react = react
    }

    private func see(_ seen: Seen, _ context: ChannelHandlerContext) {
        if seen == .fin || seen == .reset {
            if isEnded { return }
            isEnded = true
        }
        log.add(seen)
        react(seen, context.channel)
    }

    func channelActive(context: ChannelHandlerContext) { see(.accepted, context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        see(.bytes(String(buffer: unwrapInboundIn(data))), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { see(.fin, context) }
    }

    func channelInactive(context: ChannelHandlerContext) { see(.fin, context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, error.errnoCode == ECONNRESET { see(.reset, context) }
        context.close(promise: nil)
    }
}

extension Channel {
    func say(_ text: String) { writeAndFlush(ByteBuffer(string: text), promise: nil) }

    /// Closes with FIN after all output.
    func hangUp() { close(promise: nil) }

    /// Closes with RST.
    func reset() {
        guard let socket = self as? any SocketOptionProvider else { return }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
            self.close(promise: nil)
        }
    }

    /// How many segments with data have arrived: `tcpi_data_segs_in` of Linux's `tcp_info`.
    func countDataSegments(_ body: @escaping @Sendable (UInt32) -> Void) {
        guard let socket = self as? any SocketOptionProvider else { return }
        let info: EventLoopFuture<InlineArray<40, UInt32>> = socket.unsafeGetSocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_INFO))
        info.whenSuccess { body($0[38]) }
    }
}
