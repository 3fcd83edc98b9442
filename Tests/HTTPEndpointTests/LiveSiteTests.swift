import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing
import Transport

@testable import HTTPEndpoint

/// Who may read a live page and send commands.
struct LiveSiteTests {
    private final class Commands: Sendable {
        private let sent = Mutex<[String]>([])

        var all: [String] { sent.withLock { $0 } }

        func add(_ command: String) { sent.withLock { $0.append(command) } }
    }

    private let commands = Commands()
    private let loopback = ListenAddress.tcp(host: "127.0.0.1", port: 0)

    private func site(_ address: ListenAddress, token: String? = nil) -> LiveSite {
        LiveSite(
            at: address, token: token, page: { "<p>page" }, events: EventStream(),
            command: { [commands] command in
                commands.add(command)
                return command == "stop"
            })
    }

    private func status(
        _ site: LiveSite, _ method: HTTPRequest.Method, _ target: String, host: String? = nil,
        origin: String? = nil
    ) -> Int {
        let request = HTTPRequest(method, target, host: host, origin: origin, localPort: 8_000)
        switch site.answer(request) {
        case .page(let page): return page.status.rawValue
        case .stream: return 0
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8000", 200), ("localhost:8000", 200), ("[::1]:8000", 200),
        ("LOCALHOST:8000", 200), ("127.0.0.1", 403), ("127.0.0.1:8001", 403),
        ("attacker.example:8000", 403), ("127.0.0.1.attacker.example:8000", 403), ("", 403),
    ])
    func otherNamesOfTheAddressAreRefused(_ host: String, _ expected: Int) {
        #expect(status(site(loopback), .get, "/", host: host) == expected)
        let events = status(site(loopback), .get, "/events", host: host)
        #expect(events == (expected == 200 ? 0 : expected))
    }

    @Test func requestsWithoutHostAreRefused() {
        #expect(status(site(loopback), .get, "/") == 400)
        #expect(status(site(loopback), .post, "/stop", origin: "http://127.0.0.1:8000") == 400)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8000", 204), (nil, 403), ("null", 403), ("http://127.0.0.1:8001", 403),
        ("http://attacker.example", 403), ("http://127.0.0.1:8000.attacker.example", 403),
    ])
    func commandsAreAcceptedOnlyFromThePage(_ origin: String?, _ expected: Int) {
        let host = "127.0.0.1:8000"
        #expect(status(site(loopback), .post, "/stop", host: host, origin: origin) == expected)
        #expect(commands.all == (expected == 204 ? ["stop"] : []))
    }

    @Test func commandsAreNotCarriedOutByReading() {
        #expect(status(site(loopback), .get, "/stop", host: "localhost:8000") == 404)
        #expect(status(site(loopback), .other, "/stop", host: "localhost:8000") == 405)
        #expect(commands.all.isEmpty)
    }

    @Test func unknownCommandsAreNotFound() {
        let (host, origin) = ("localhost:8000", "http://localhost:8000")
        #expect(status(site(loopback), .post, "/explode", host: host, origin: origin) == 404)
    }

    @Test func everyRequestToAPublicAddressNeedsTheToken() {
        let site = site(.tcp(host: "0.0.0.0", port: 0), token: "abc123")
        let (host, origin) = ("load.example:80", "http://load.example:80")
        for query in [
            "", "?token=", "?token=abc12", "?token=abc1234", "?token=ABC123", "?x=abc123",
        ] {
            #expect(status(site, .get, "/" + query, host: host) == 403)
            #expect(status(site, .get, "/events" + query, host: host) == 403)
            #expect(status(site, .post, "/stop" + query, host: host, origin: origin) == 403)
        }
        #expect(status(site, .get, "/?token=abc123", host: host) == 200)
        #expect(status(site, .get, "/events?token=abc123", host: host) == 0)
        #expect(status(site, .post, "/stop?token=abc123", host: host) == 403)
        #expect(status(site, .post, "/stop?token=abc123", host: host, origin: origin) == 204)
    }

    @Test func tokensAreLongAndDiffer() {
        #expect(LiveSite.makeToken().count == 32)
        #expect(LiveSite.makeToken() != LiveSite.makeToken())
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.3.2.1", true), ("::1", true), ("localhost", true),
        ("0.0.0.0", false), ("192.168.0.1", false), ("::", false), ("example.org", false),
    ])
    func onlyLoopbackAddressesNeedNoToken(_ host: String, _ expected: Bool) {
        #expect(LiveSite.isLoopback(.tcp(host: host, port: 1)) == expected)
    }
}

/// Server-sent events.
struct EventStreamTests {
    private func connection(_ stream: EventStream) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try HTTPServer.configure(channel.pipeline.syncOperations) { _ in .stream(stream) }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n"
        channel.pipeline.fireChannelRead(ByteBuffer(string: request))
        return channel
    }

    private func received(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: part)
        }
        return text
    }

    @Test func eachLineOfTextIsALineOfData() {
        let event = String(buffer: EventStream.event("page", "<p>a\r\nb\n\nc"))
        #expect(event == "event: page\ndata: <p>a \ndata: b\ndata: \ndata: c\n\n")
    }

    @Test func clientsGetTheLastEventAndAllLaterOnes() throws {
        let stream = EventStream()
        stream.send("page", "one")
        let channel = try connection(stream)
        #expect(stream.hasClients)
        #expect(try received(channel).contains("data: one\n\n"))
        stream.send("page", "two")
        #expect(try received(channel).contains("data: two\n\n"))
        stream.finish("end", "three")
        #expect(try received(channel).contains("event: end\ndata: three\n\n"))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(!stream.hasClients)
    }

    @Test func streamsHaveNoTimeLimit() throws {
        let stream = EventStream()
        let channel = try connection(stream)
        channel.embeddedEventLoop.advanceTime(by: HTTPServer.connectionTimeMax * 10)
        #expect(channel.isActive)
    }

    @Test func aClientThatDoesNotReadMissesEventsAndIsDisconnected() throws {
        let stream = EventStream()
        let channel = try connection(stream)
        _ = try received(channel)
        channel.isWritable = false
        for _ in 0..<EventStream.missedMax { stream.send("page", "x") }
        #expect(try received(channel).isEmpty)
        #expect(channel.isActive)
        stream.send("page", "x")
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(!stream.hasClients)
    }

    @Test func aClientThatReadsAgainGetsTheNextEvent() throws {
        let stream = EventStream()
        let channel = try connection(stream)
        channel.isWritable = false
        stream.send("page", "missed")
        channel.isWritable = true
        stream.send("page", "next")
        let text = try received(channel)
        #expect(text.contains("next") && !text.contains("missed"))
    }
}
