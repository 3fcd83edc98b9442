import Logging
import NIOCore
import ReferenceServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct PreparationTests {
    struct Unwilling: Error {}

    /// A handler that swaps the case of each letter in both directions, as a stand-in for
    /// encryption.
    private final class CaseTurner: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(wrapInboundOut(turned(unwrapInboundIn(data))))
        }

        func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            context.write(wrapOutboundOut(turned(unwrapOutboundIn(data))), promise: promise)
        }

        private func turned(_ buffer: ByteBuffer) -> ByteBuffer {
            ByteBuffer(
                bytes: buffer.readableBytesView.map { byte in
                    (byte | 0x20) &- 0x61 < 26 ? byte ^ 0x20 : byte
                })
        }
    }

    @Test func addedHandlersSeeAllBytes() async throws {
        try await withServer {
            $0.prepareConnection = { channel in
                try channel.pipeline.syncOperations.addHandler(CaseTurner())
            }
        } _: { server in
            let client = try await TestClient.connect(to: server)
            try await client.send("s0001|jOE\ns0002\n")
            #expect(await client.rest() == ["r0001|1|jOE", "r0018|LOGGED OUT"])
        }
    }

    @Test func connectionThatCannotBePreparedIsClosed() async throws {
        try await withServer {
            $0.prepareConnection = { _ in throw Unwilling() }
        } _: { server in
            let client = try await TestClient.connect(to: server)
            #expect(await client.rest() == [])
            #expect(await server.counts() == ServerCounts())
        }
    }

    @Test func loginsRefusalsAndWarningsAreLogged() async throws {
        let log = LogLines()
        try await withServer {
            $0.logger = Logger(label: "test") { _ in LineLogHandler(log) }
        } _: { server in
            let client = try await TestClient.connect(to: server)
            try await client.send("S0001|Joe\nS0005|1|2\nS0005|2|3\nS0099\nS0002\n")
            _ = await client.rest()
        }
        let lines = log.lines.withLock { $0 }
        #expect(lines.contains("info logged in identifier=1 nickname=Joe visitor=false"))
        #expect(lines.count { $0.hasPrefix("warning ignored surplus") } == 1)
        #expect(
            lines.contains(
                "info refused cause=notUnderstood command=S0099 connection=0 reason=no such command"
            ))
        #expect(lines.contains("info logged out identifier=1 nickname=Joe reason=logged out"))
    }
}

private final class LogLines: Sendable {
    let lines = Mutex<[String]>([])
}

private struct LineLogHandler: LogHandler {
    let log: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ log: LogLines) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }
        let line =
            ["\(event.level) \(event.message)"] + pairs.map { "\($0.key)=\($0.value)" }
        log.lines.withLock { $0.append(line.joined(separator: " ")) }
    }
}
