import Foundation
import LineProtocol
import Testing

@testable import Capture

/// Captures of WebSocket connections.
struct WebSocketTests {
    private static let request = """
        GET /chat HTTP/1.1\r\nHost: chat.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
        """
    private static let answer = """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
        """

    /// Returns a frame whose first byte is `first`.
    private static func frame(_ first: UInt8, _ text: String, isMasked: Bool = true) -> [UInt8] {
        let bytes = Array(text.utf8)
        let key: [UInt8] = isMasked ? [0x37, 0xFA, 0x21, 0x3D] : [0, 0, 0, 0]
        let length: [UInt8] =
            bytes.count < 126
            ? [UInt8(bytes.count)] : [126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        return [first, length[0] | (isMasked ? 0x80 : 0)] + length.dropFirst()
            + (isMasked ? key : []) + bytes.enumerated().map { $1 ^ key[$0 % 4] }
    }

    /// A connection whose handshake is complete.
    private func opened() -> ScriptedConnection {
        var connection = ScriptedConnection()
        connection.open()
        connection.send(Self.request)
        connection.send(Self.answer, fromClient: false)
        return connection
    }

    /// The log of a TCP connection with these lines.
    private func plain(
        _ dialect: String = "irc", _ texts: (String, fromClient: Bool)...
    ) throws -> [String] {
        var connection = ScriptedConnection()
        connection.open()
        for (text, fromClient) in texts { connection.send(text, fromClient: fromClient) }
        connection.close()
        return try Decoding.log(connection.capture, dialect).lines
    }

    @Test func linesInMessagesAreDecoded() throws {
        var connection = opened()
        connection.send(Self.frame(0x81, "NICK alice") + Self.frame(0x81, "PING 1"))
        let long = ":irc.example NOTICE alice :" + String(repeating: "x", count: 200)
        connection.send(Self.frame(0x81, long, isMasked: false), fromClient: false)
        connection.send(Self.frame(0x82, "PING :Grüße\r\n"))
        connection.close()
        let decoding = try Decoding.log(connection.capture)
        let expected = try plain(
            "irc", ("NICK alice\r\nPING 1\r\n", true), (long + "\r\n", false),
            ("PING :Grüße\r\n", true))
        #expect(decoding.lines == expected)
        #expect(decoding.counts.conversation.lines == 4)
    }

    @Test func linesDoNotDependOnSegmentation() throws {
        let frames =
            Self.frame(0x01, "PRIVMSG #room") + Self.frame(0x89, "") + Self.frame(0x00, " :")
            + Self.frame(0x80, "Grüße") + Self.frame(0x8A, "x") + Self.frame(0x81, "PING 2")
        let bytes = Array(Self.request.utf8) + frames
        let expected = try plain("irc", ("PRIVMSG #room :Grüße\r\nPING 2\r\n", true))
        // The handshake is recognised if its first segment names WebSocket.
        for cut in Self.request.utf8.count - 80..<bytes.count {
            var connection = ScriptedConnection()
            connection.open()
            connection.send(Array(bytes[..<cut]))
            connection.send(Array(bytes[cut...]))
            connection.close()
            #expect(try Decoding.log(connection.capture).lines == expected, "cut at \(cut)")
        }
    }

    @Test func messagesOfDialectsWithPayloadsAreAStream() throws {
        var connection = opened()
        connection.send(Self.frame(0x82, "PUB news 5\r\nhe"))
        connection.send(Self.frame(0x82, "llo\r\nPI") + Self.frame(0x82, "NG\r\n"))
        connection.close()
        let expected = try plain("nats", ("PUB news 5\r\nhello\r\nPING\r\n", true))
        #expect(try Decoding.log(connection.capture, "nats").lines == expected)
    }

    @Test(arguments: [
        ([0xC1, 0x05] + Array("xxxxx".utf8), "compressed (WebSocket) from here on; not decoded"),
        ([0x83, 0x00], "frame boundaries lost; the rest is not decoded"),
        ([0x81, 0x7F] + [UInt8](repeating: 0xFF, count: 8), "frame boundaries lost"),
    ])
    func whatCannotBeDecodedIsNoted(bytes: [UInt8], note: String) throws {
        var connection = opened()
        connection.send(Self.frame(0x81, "PING 1", isMasked: false), fromClient: false)
        connection.send(bytes, fromClient: false)
        connection.send(Self.frame(0x81, "PING 2", isMasked: false), fromClient: false)
        connection.close()
        let decoding = try Decoding.log(connection.capture)
        #expect(decoding.text.contains(note), "\(decoding.text)")
        // The line before it is decoded, the one after it is not.
        #expect(decoding.counts.conversation.lines == 1)
        let json = try Decoding.json(connection.capture).text
        let event = note.hasPrefix("compressed") ? "compressed" : "out-of-step"
        #expect(json.contains("\"event\":\"\(event)\""), "\(json)")
    }

    @Test func afterAGapTheRestIsNotDecoded() throws {
        var connection = opened()
        connection.send(Self.frame(0x81, "PING 1"), isCaptured: false)
        connection.send(Self.frame(0x81, "PING 2"))
        connection.close()
        let decoding = try Decoding.log(connection.capture)
        #expect(decoding.text.contains("frame boundaries lost"), "\(decoding.text)")
        #expect(decoding.counts.conversation.lines == 0)
    }

    @Test(arguments: ["HTTP/1.1 404 Not Found\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nhello"])
    func aRefusedWebSocketIsNotDecoded(answer: String) throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send(Self.request)
        connection.send(answer, fromClient: false)
        connection.close()
        #expect(try Decoding.log(connection.capture).counts.conversation.lines == 0)
    }

    @Test func otherRequestsAreLines() throws {
        let expected = try plain("irc", ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", true))
        #expect(expected.contains { $0.contains("GET / HTTP/1.1") }, "\(expected)")
    }

    @Test func headsAreLimited() throws {
        let start = Self.request.dropLast(4) + "\r\nX: "
        for (count, isRead) in [(WebSocketReader.headBytesMax, true), (16_385, false)] {
            let filler = String(repeating: "x", count: count - start.utf8.count - 4)
            var connection = ScriptedConnection()
            connection.open()
            let head = Array((start + filler + "\r\n\r\n").utf8)
            #expect(head.count == count)
            connection.send(Array(head[..<1_000]))
            connection.send(Array(head[1_000...]))
            connection.send(Self.frame(0x81, "PING 1"))
            connection.close()
            let lines = try Decoding.log(connection.capture).counts.conversation.lines
            #expect(lines == (isRead ? 1 : 0))
        }
    }
}
