import DialectFiles
import LineProtocol
import Testing

@testable import Transport

/// Lines in WebSocket messages.
struct WebSocketMessageTests {
    /// Divides writes into messages. `…` marks a piece that does not end its message.
    private func divided(_ writes: [String], _ lineEnds: [Terminator]) -> [String] {
        var divider = MessageDivider(lineEnds)
        var pieces: [String] = []
        for write in writes {
            divider.divide(Array(write.utf8)) { piece, isLast in
                pieces.append(String(decoding: piece, as: UTF8.self) + (isLast ? "" : "…"))
            }
        }
        let rest = divider.finish()
        return rest.isEmpty ? pieces : pieces + ["held \(rest.count)"]
    }

    @Test func eachLineIsAMessageWithoutItsTerminator() {
        #expect(divided(["NICK a\r\nUSER a\r\n"], [.crlf]) == ["NICK a", "USER a"])
        #expect(divided(["a\nb\r\n"], [.crlf]) == ["a\nb"])
        #expect(divided(["a\nb\r\n"], [.crlf, .lf]) == ["a", "b"])
        #expect(divided(["a\0\0"], [.nul]) == ["a", ""])
        #expect(divided(["", "\r\n"], [.crlf]) == [""])
    }

    @Test func aLineInSeveralWritesIsOneMessageInPieces() {
        #expect(divided(["NI", "CK a\r\n"], [.crlf]) == ["NI…", "CK a"])
        #expect(divided(["a\r", "\n"], [.crlf]) == ["a…", ""])
        #expect(divided(["a\r", "b\r\n"], [.crlf]) == ["a…", "\rb"])
        #expect(divided(["a\r"], [.crlf]) == ["a…", "held 1"])
        let bytes = "PING 1\r\n".map(String.init)
        let characters = "PING 1\r\n".utf8.map { String(decoding: [$0], as: UTF8.self) }
        #expect(divided(bytes, [.crlf]).last == "PING 1…" || divided(bytes, [.crlf]).last == "")
        #expect(divided(characters, [.crlf]) == ["P…", "I…", "N…", "G…", " …", "1…", ""])
    }

    @Test func theSecondHalfOfALongerTerminatorIsNotALine() {
        #expect(divided(["a\r\nb\rc\r", "\nd\r"], [.cr, .crlf]) == ["a", "b", "c", "d"])
    }

    @Test func writesAreMessagesInAStream() {
        #expect(divided(["PUB a 2\r\nhi", "\r\n"], []) == ["PUB a 2\r\nhi", "\r\n"])
    }

    @Test func aReceivedLineGetsTheTerminatorThatItLacks() {
        func joined(_ pieces: [String], _ lineEnds: [Terminator]) -> String {
            var joiner = MessageJoiner(lineEnds)
            var bytes: [UInt8] = []
            for (index, piece) in pieces.enumerated() {
                let isLast = index == pieces.count - 1
                bytes += Array(piece.utf8) + joiner.add(Array(piece.utf8), isLast: isLast)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(joined(["PING a"], [.crlf]) == "PING a\r\n")
        #expect(joined(["PING", " a"], [.crlf]) == "PING a\r\n")
        #expect(joined(["PING a\r\n"], [.crlf]) == "PING a\r\n")
        #expect(joined(["PING a\r", "\n"], [.crlf]) == "PING a\r\n")
        #expect(joined(["PING a\n"], [.crlf, .lf]) == "PING a\n")
        #expect(joined(["PING a\n"], [.crlf]) == "PING a\n\r\n")
        #expect(joined([""], [.lf]) == "\n")
        #expect(joined(["MSG a 1 2\r\nh", "i"], []) == "MSG a 1 2\r\nhi")
    }

    @Test(arguments: [
        ("irc", true), ("livechat", true), ("jsonl", true), ("nats", false), ("msnp", false),
        ("redis", false), ("stomp", false), ("smtp", false), ("pop3", false), ("nntp", false),
        ("mud", false),
    ])
    func dialectsWithPayloadsUseAStream(name: String, isLines: Bool) throws {
        let dialect = try DialectLibrary.find(name).dialect
        let address = try Endpoint(parsing: "ws://host").speaking(dialect).webSocket
        #expect(address?.clientLineEnds.isEmpty == !isLines)
        #expect(address?.serverLineEnds.isEmpty == !isLines)
        let stream = try Endpoint(parsing: "ws://host#messages=stream").speaking(dialect)
        #expect(stream.webSocket?.clientLineEnds.isEmpty == true)
    }
}
