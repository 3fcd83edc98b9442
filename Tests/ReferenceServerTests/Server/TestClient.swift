import NIOCore
import NIOPosix
import ReferenceServer
import Transport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client that sends and receives bytes over a real socket.
final class TestClient: Sendable {
    private let channel: any Channel
    private let mailbox: Mailbox

    private init(_ channel: any Channel, _ mailbox: Mailbox) {
        self.channel = channel
        self.mailbox = mailbox
    }

    /// - Parameter reads: whether it reads before ``startReading()`` is called.
    static func connect(to server: ReferenceServer, reads: Bool = true) async throws -> TestClient {
        try await connect(to: server.address, reads: reads)
    }

    static func connect(to address: ListenAddress, reads: Bool = true) async throws -> TestClient {
        let mailbox = Mailbox()
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(MailboxHandler(mailbox))
                }
            }
        if !reads {
            // A small buffer that fills up quickly.
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 4_096)
        }
        let channel: any Channel
        switch address {
        case .tcp(let host, let port):
            channel = try await bootstrap.connect(host: host, port: port).get()
        case .unixSocket(let path):
            channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
        }
        return TestClient(channel, mailbox)
    }

    /// Returns a client that has logged in and read the answer.
    static func logIn(
        _ nickname: String, to server: ReferenceServer, reads: Bool = true
    ) async throws -> TestClient {
        let client = try await connect(to: server, reads: reads)
        try await client.send("S0001|\(nickname)\n")
        if reads {
            while let line = await client.next(), !line.hasPrefix("R0001|") {}
        }
        return client
    }

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Returns the next line; nil at the end of the stream.
    func next() async -> String? { await mailbox.next() }

    /// Returns the next line with this command; nil at the end of the stream.
    func next(_ wire: String) async -> String? {
        while let line = await next() {
            if line.hasPrefix(wire + "|") || line == wire { return line }
        }
        return nil
    }

    /// Sends a ping and returns all lines before its answer, which are the outcome of everything
    /// sent before.
    func barrier() async throws -> [String] {
        try await send("S0003|barrier\n")
        var lines: [String] = []
        while let line = await next(), line != "R0003|barrier" { lines.append(line) }
        return lines
    }

    /// Returns all lines up to the end of the stream.
    func rest() async -> [String] {
        var lines: [String] = []
        while let line = await next() { lines.append(line) }
        return lines
    }

    func startReading() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Half-closes the connection.
    func halfClose() async throws {
        try await channel.close(mode: .output)
    }

    /// Half-closes the connection unless the server has closed it.
    func halfCloseIfOpen() async throws {
        do {
            try await halfClose()
        } catch ChannelError.alreadyClosed {
            return
        }
    }

    func close() async throws {
        try await channel.close()
    }

    /// Resets the connection.
    func abort() async throws {
        guard let socket = channel as? any SocketOptionProvider else { return }
        try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close()
    }
}

private final class MailboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let mailbox: Mailbox

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        mailbox.append(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            mailbox.end()
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { mailbox.end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
