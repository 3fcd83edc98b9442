import NIOCore
import NIOEmbedded
import Testing

@testable import Transport

/// Handshakes of WebSocket connections.
struct WebSocketHandshakeTests {
    /// Sends a handshake and returns the request, and the answer that `answer` gives to the request
    /// is received. Returns the failure, or nil.
    private func failure(
        at url: String = "ws://chat.example:8080/x?y",
        _ answer: (_ key: String) throws -> String?
    ) throws -> (failure: String?, request: String) {
        let endpoint = try Endpoint(parsing: url)
        let channel = EmbeddedChannel()
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 8080)
        try channel.connect(to: address).wait()
        let done = endpoint.shakeHands(channel, at: .first, nil)
        var outcome: Result<Void, any Error>?
        done.assumeIsolated().whenComplete { outcome = $0 }
        let request = try channel.readOutbound(as: ByteBuffer.self).map(String.init(buffer:)) ?? ""
        let key = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        let text = try answer(String(key?.dropFirst(19) ?? ""))
        if let text {
            try channel.writeInbound(ByteBuffer(string: text))
        } else {
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        guard let outcome else { return ("no outcome", request) }
        _ = try? channel.finish()
        if case .failure(let error) = outcome { return ("\(error)", request) }
        return (nil, request)
    }

    /// Returns the answer of Linejudge's own server to a request.
    private static func accept(
        _ key: String, _ server: WebSocketServer = WebSocketServer(WebSocketAddress()),
        path: String = "/x", more: String = ""
    ) throws -> String {
        let channel = EmbeddedChannel()
        try server.prepare(channel)
        try channel.writeInbound(
            ByteBuffer(
                string: """
                    GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nConnection: keep-alive, \
                    Upgrade\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\(more)\r\n
                    """))
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: buffer)
        }
        _ = try? channel.finish()
        return text
    }

    @Test func serverAndClientAgree() throws {
        let (failure, request) = try failure { try Self.accept($0) }
        #expect(failure == nil)
        #expect(request.hasPrefix("GET /x?y HTTP/1.1\r\nHost: chat.example:8080\r\n"))
        #expect(request.contains("\r\nOrigin: http://chat.example:8080\r\n"))
        #expect(!request.contains("Sec-WebSocket-Protocol"))
    }

    @Test func theAcceptedKeyIsThatOfTheSpecification() throws {
        // RFC 6455 §1.3.
        let answer = try Self.accept("dGhlIHNhbXBsZSBub25jZQ==")
        #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    }

    @Test func aSubprotocolAndAnOriginAreRequested() throws {
        let url = "ws://[::1]:80/#protocol=text.ircv3.net,origin=https://web.example"
        let (failure, request) = try failure(at: url) {
            try Self.accept($0, more: "Sec-WebSocket-Protocol: text.ircv3.net\r\n")
        }
        #expect(failure == nil)
        #expect(request.contains("\r\nHost: [::1]\r\n"))
        #expect(request.contains("\r\nOrigin: https://web.example\r\n"))
        #expect(request.contains("\r\nSec-WebSocket-Protocol: text.ircv3.net\r\n"))
    }

    @Test(arguments: [
        (
            ":irc.example NOTICE * :Hello\r\n",
            "did not answer with HTTP, but with `:irc.example NOTICE * :Hello`"
        ),
        (
            "HTTP/1.1 404 Not Found\r\n\r\n<html>",
            "refused the WebSocket at /x with HTTP status 404 Not Found"
        ),
        (
            "HTTP/1.1 101 X\r\nConnection: Upgrade\r\n\r\n",
            "answered the WebSocket handshake without `Upgrade: websocket`"
        ),
        (
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            "answered the WebSocket handshake without Sec-WebSocket-Accept"
        ),
        (
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
            "answered the WebSocket handshake with a wrong Sec-WebSocket-Accept"
        ),
        ("HTTP/1.1 101 X\r\nbad header\r\n\r\n", "sent a malformed HTTP header"),
        ("HTTP/1.1 101 X\r\nn\u{E4}me: x\r\n\r\n", "sent a malformed HTTP header"),
        ("HTTP/1.1 101 X\r\nn\u{1}: x\r\n\r\n", "sent a malformed HTTP header"),
        (
            "HTTP/1.1 101 X\r\nA: " + String(repeating: "x", count: 16_384),
            "sent HTTP headers of more than 16384 bytes"
        ),
    ])
    func aRefusalSaysWhatTheServerDid(answer: String, reason: String) throws {
        #expect(try failure { _ in answer }.failure == "the server \(reason)")
    }

    @Test func anEndDuringTheHandshakeSaysSo() throws {
        let reason = "the server closed the connection during the WebSocket handshake"
        #expect(try failure { _ in nil }.failure == reason)
    }

    @Test func subprotocolsMustBeThoseThatWereRequested() throws {
        let unwanted = try failure {
            try Self.accept($0, more: "Sec-WebSocket-Protocol: chat\r\n")
        }
        let chosen = "the server chose the WebSocket subprotocol `chat`, which was not requested"
        #expect(unwanted.failure == chosen)
        let missing = try failure(at: "ws://host/#protocol=chat") { try Self.accept($0) }
        let unsupported = "the server does not support the WebSocket subprotocol `chat`"
        #expect(missing.failure == unsupported)
    }

    @Test func headersMayHaveTheMaximumSize() throws {
        let start = "HTTP/1.1 404 Not Found\r\nA: "
        func answer(_ count: Int) -> String {
            start + String(repeating: "x", count: count - start.utf8.count - 4) + "\r\n\r\n"
        }
        let limit = HTTPHead.bytesMax
        let atLimit = try failure { _ in answer(limit) }.failure
        #expect(atLimit?.contains("404 Not Found") == true)
        let past = try failure { _ in answer(limit + 1) }.failure
        #expect(past == "the server sent HTTP headers of more than \(limit) bytes")
    }

    @Test func aServerRefusesWhatIsNotAHandshake() throws {
        func answer(_ text: String, _ server: WebSocketServer) throws -> String? {
            let channel = EmbeddedChannel()
            try server.prepare(channel)
            try channel.writeInbound(ByteBuffer(string: text))
            defer { _ = try? channel.finish() }
            let buffer = try channel.readOutbound(as: ByteBuffer.self)
            return buffer.map { String(String(buffer: $0).prefix { $0 != "\r\n" }) }
        }
        var address = WebSocketAddress()
        address.path = "/chat"
        let server = WebSocketServer(address)
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        #expect(try answer("NICK alice\r\n", server) == "HTTP/1.1 400 Bad Request")
        #expect(try answer("GET /chat HTTP/1.0\r\n\r\n", server) == "HTTP/1.1 400 Bad Request")
        #expect(try answer("GET / HTTP/1.1\r\n\r\n", server) == "HTTP/1.1 404 Not Found")
        let plain = "GET /chat?x HTTP/1.1\r\n\r\n"
        #expect(try answer(plain, server) == "HTTP/1.1 426 Upgrade Required")
        let old = "GET /chat HTTP/1.1\r\n\(upgrade)Sec-WebSocket-Version: 8\r\n\r\n"
        #expect(try answer(old, server) == "HTTP/1.1 426 Upgrade Required")
        let keyless = "GET /chat HTTP/1.1\r\n\(upgrade)Sec-WebSocket-Version: 13\r\n\r\n"
        #expect(try answer(keyless, server) == "HTTP/1.1 400 Bad Request")
    }
}
