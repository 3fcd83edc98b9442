import DialectFiles
import Foundation
import NIOCore
import ReferenceServer
import Synchronization
import Testing

/// Real chat clients against the server. The tests are never skipped: they fail if a client is
/// missing.
@Suite(.serialized) struct RealClientTests {
    private static let room = "#room"
    private static let nickname = "visitor"
    /// Longest conversation before everything is closed and the test fails.
    private static let secondsMax = 60.0

    @Test(arguments: ChatProgram.allCases)
    func talksWithAPeerInBothDirections(_ program: ChatProgram) async throws {
        try await meet(program) { client, peer in
            try client.type("Grüße aus {☃} – 100 %")
            try await peer.expect("PRIVMSG #room :Grüße aus {☃} – 100 %")
            try client.type("/me winkt")
            try await peer.expect("PRIVMSG #room :\u{1}ACTION winkt\u{1}")
            try client.type("/msg peer unter vier Augen")
            try await peer.expect("PRIVMSG peer :unter vier Augen")
            try await peer.send("PRIVMSG #room :Antwort: schön grün")
            try await client.shows("Antwort: schön grün")
            try await client.shows("Grüße aus {☃} – 100 %")
            try client.type("/quit bis bald")
            try await peer.expect("QUIT :Quit: bis bald")
            #expect(client.status() == 0)
        }
    }

    @Test(arguments: ChatProgram.allCases)
    func looksAfterARoom(_ program: ChatProgram) async throws {
        try await meet(program) { client, peer in
            try await peer.send("MODE #room +o \(Self.nickname)")
            try await client.shows("[+o \(Self.nickname)] by peer")
            try client.type("/topic Über den Wolken")
            try await peer.expect("TOPIC #room :Über den Wolken")
            try client.type("/voice peer")
            try await peer.expect("MODE #room +v peer")
            try client.type("/mode +m")
            try await peer.expect("MODE #room +m")
            try client.type("/nick guest")
            try await peer.expect("NICK guest")
            try client.type("/kick peer genug")
            try await peer.expect("KICK #room peer genug", from: "guest")
            try client.type("/quit")
            #expect(client.status() == 0)
        }
    }

    @Test(arguments: ChatProgram.allCases)
    func negotiatesCapabilitiesAndReceivesTags(_ program: ChatProgram) async throws {
        let wire = WireLog()
        try await meet(program, password: "geheim", wire) { client, peer in
            try await peer.send("PRIVMSG #room :hello with a tag")
            try await client.shows("hello with a tag")
            try client.type("/quit")
            #expect(client.status() == 0)
        }
        let (received, sent) = wire.texts
        #expect(received.contains("CAP LS 302\r\n"))
        #expect(received.contains("AUTHENTICATE PLAIN\r\n"))
        #expect(sent.contains(" 903 "))
        #expect(sent.contains(/CAP [^ ]+ ACK :[^\r]*server-time/))
        #expect(sent.contains(/@time=[^ ]+Z[^ ]* :peer!peer@127.0.0.1 PRIVMSG #room :hello with/))
    }

    /// Runs a client, and a peer that sees it enter the room.
    ///
    /// - Parameters:
    ///   - password: The password of the client's account; nil if it has none.
    ///   - wire: The log of everything that is sent and received; nil for no log.
    private func meet(
        _ program: ChatProgram, password: String? = nil, _ wire: WireLog? = nil,
        _ body: (RunningProgram, Peer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-client-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let dialect = try DialectLibrary.find("irc").dialect
        var options = ServerOptions(dialect)
        if let password { options.rules.accounts[Self.nickname.bytes] = password.bytes }
        if let wire {
            options.prepareConnection = {
                try $0.pipeline.syncOperations.addHandler(WireLogHandler(wire))
            }
        }
        let server = try await ReferenceServer.start(speaking: dialect, options: options)
        let peer = try await Peer.enter(Self.room, of: server, partner: Self.nickname)
        let client = try program.start(
            in: folder, port: server.port ?? 0, nickname: Self.nickname, password: password,
            room: Self.room)
        let limit = Task {
            try await Task.sleep(for: .seconds(Self.secondsMax))
            client.kill()
            try await peer.leave()
        }
        defer {
            limit.cancel()
            client.kill()
        }
        try await peer.expect("JOIN #room")
        // The peer may be notified before the client is.
        try await client.shows("has joined \(Self.room)")
        try await body(client, peer)
        await server.shutdown()
    }
}

/// A plain-line client that talks to the real one.
private struct Peer {
    private let connection: TestClient
    private let partner: String

    /// Enters a room before its partner does.
    static func enter(
        _ room: String, of server: ReferenceServer, partner: String
    ) async throws -> Peer {
        let connection = try await TestClient.connect(to: server)
        try await connection.send("NICK peer\r\nUSER peer 0 * :Peer\r\nJOIN \(room)\r\n")
        while let line = await connection.next(), !line.contains(" 366 ") {}
        return Peer(connection: connection, partner: partner)
    }

    /// Waits for a line from the partner and ignores all lines before it.
    func expect(_ wanted: String, from nickname: String? = nil) async throws {
        let source = ":\(nickname ?? partner)!\(partner)@127.0.0.1 "
        var received: [String] = []
        while let line = await connection.next() {
            received.append(line)
            if line == source + wanted + "\r" { return }
        }
        Issue.record("the peer never received \(source)\(wanted), only \(received)")
        throw CancellationError()
    }

    func send(_ line: String) async throws { try await connection.send(line + "\r\n") }

    func leave() async throws { try await connection.close() }
}

/// Everything that a server receives and sends.
private final class WireLog: Sendable {
    private let log = Mutex((received: "", sent: ""))

    var texts: (received: String, sent: String) { log.withLock { $0 } }

    func received(_ bytes: ByteBuffer) { log.withLock { $0.received += String(buffer: bytes) } }

    func sent(_ bytes: ByteBuffer) { log.withLock { $0.sent += String(buffer: bytes) } }
}

private final class WireLogHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: WireLog

    init(_ log: WireLog) { self.log = log }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        log.received(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        log.sent(unwrapOutboundIn(data))
        context.write(data, promise: promise)
    }
}
