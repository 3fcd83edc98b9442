import LineProtocol
import NIOCore
import NIOEmbedded
import Testing

@testable import Transport

/// Frames of a WebSocket connection, in both directions.
struct WebSocketStreamTests {
    /// A connection whose handshake is complete.
    private struct Pipe {
        let channel = EmbeddedChannel()
        let end: EndHandler

        init(_ role: WebSocketRole = .client, isStream: Bool = false) throws {
            var address = WebSocketAddress()
            if !isStream {
                address.clientLineEnds = [.crlf]
                address.serverLineEnds = [.crlf]
            }
            let first = PipelineFront()
            end = EndHandler()
            try channel.pipeline.syncOperations.addHandlers([first, end])
            try WebSocketStream.add(
                after: first, role, address, channel.pipeline.syncOperations)
        }

        func receive(_ bytes: [UInt8]) throws {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
        }

        func send(_ text: String) throws -> [UInt8] {
            try channel.writeOutbound(ByteBuffer(string: text))
            return try sent()
        }

        /// Everything that has been sent since the last call.
        func sent() throws -> [UInt8] {
            var bytes: [UInt8] = []
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                bytes += Array(buffer.readableBytesView)
            }
            return bytes
        }

        /// The frames in `bytes`, unmasked: the first byte and the payload.
        static func frames(_ bytes: [UInt8]) -> [(UInt8, String)] {
            var frames: [(UInt8, String)] = []
            var rest = bytes[...]
            while rest.count >= 2 {
                let first = rest.removeFirst()
                let length = rest.removeFirst()
                let key = length & 0x80 == 0 ? [0, 0, 0, 0] : Array(rest.prefix(4))
                if length & 0x80 != 0 { rest = rest.dropFirst(4) }
                let count = Int(length & 0x7F)
                let payload = rest.prefix(count).enumerated().map { $1 ^ key[$0 % 4] }
                rest = rest.dropFirst(count)
                frames.append((first, String(decoding: payload, as: UTF8.self)))
            }
            return frames
        }
    }

    /// The last handler of a pipeline; it keeps what reaches it.
    private final class EndHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var text = ""
        var close: WebSocketClose?
        var inputEnds = 0
        var error: String?

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let close = event as? WebSocketClose { self.close = close }
            if case ChannelEvent.inputClosed = event { inputEnds += 1 }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.error = "\(error)"
        }
    }

    private static func frame(_ first: UInt8, _ text: String = "") -> [UInt8] {
        [first, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    // MARK: Sending

    @Test func aClientMasksOneTextFrameForEachLine() throws {
        let pipe = try Pipe()
        let bytes = try pipe.send("NICK a\r\nUSER a\r\n")
        #expect(bytes[1] == 0x80 | 6)
        let frames = Pipe.frames(bytes)
        #expect(frames.map(\.0) == [0x81, 0x81])
        #expect(frames.map(\.1) == ["NICK a", "USER a"])
    }

    @Test func aSplitLineIsSentInContinuationFrames() throws {
        let pipe = try Pipe()
        let bytes = try pipe.send("NI") + pipe.send("CK") + pipe.send(" a\r") + pipe.send("\nx\r\n")
        let frames = Pipe.frames(bytes)
        #expect(frames.map(\.0) == [0x01, 0x00, 0x00, 0x80, 0x81])
        #expect(frames.map(\.1) == ["NI", "CK", " a", "", "x"])
    }

    @Test func bytesThatAreNotUTF8AreSentInABinaryFrame() throws {
        let pipe = try Pipe()
        try pipe.channel.writeOutbound(ByteBuffer(bytes: [0xC3, 0xA4, 13, 10, 0xE4, 13, 10]))
        // A letter that is split between two writes is valid.
        try pipe.channel.writeOutbound(ByteBuffer(bytes: [0xC3]))
        try pipe.channel.writeOutbound(ByteBuffer(bytes: [0xA4, 13, 10]))
        #expect(Pipe.frames(try pipe.sent()).map(\.0) == [0x81, 0x82, 0x01, 0x80])
    }

    @Test func aStreamIsSentInBinaryFramesAsItIsWritten() throws {
        let pipe = try Pipe(isStream: true)
        let frames = Pipe.frames(try pipe.send("PUB a 2\r\nhi\r\n") + pipe.send("PI"))
        #expect(frames.map(\.0) == [0x82, 0x82])
        #expect(frames.map(\.1) == ["PUB a 2\r\nhi\r\n", "PI"])
    }

    @Test(arguments: [(125, 2), (126, 4), (65_535, 4), (65_536, 10)])
    func lengthsTakeAsManyBytesAsTheyNeed(count: Int, header: Int) throws {
        let pipe = try Pipe(.server, isStream: true)
        let text = String(repeating: "x", count: count)
        let bytes = try pipe.send(text)
        #expect(bytes.count == header + count)
        let reader = try Pipe(isStream: true)
        try reader.receive(bytes)
        #expect(reader.end.text == text)
    }

    @Test func aServerAnswersWithTheTypeOfFramesThatItsClientUses() throws {
        let pipe = try Pipe(.server)
        #expect(Pipe.frames(try pipe.send("a\r\n")).map(\.0) == [0x81])
        let client = try Pipe(isStream: true)
        try pipe.receive(try client.send("b"))
        #expect(pipe.end.text == "b\r\n")
        #expect(Pipe.frames(try pipe.send("a\r\n")).map(\.0) == [0x82])
    }

    // MARK: Receiving

    @Test func messagesBecomeLines() throws {
        let pipe = try Pipe()
        try pipe.receive(Self.frame(0x81, "PING a"))
        try pipe.receive(Self.frame(0x01, "PI"))
        try pipe.receive(Self.frame(0x89, "now"))
        try pipe.receive(Self.frame(0x00, "NG") + Self.frame(0x80, " b"))
        try pipe.receive(Self.frame(0x82, "PING c\r\n"))
        #expect(pipe.end.text == "PING a\r\nPING b\r\nPING c\r\n")
        let frames = Pipe.frames(try pipe.sent())
        #expect(frames.map(\.0) == [0x8A])
        #expect(frames.map(\.1) == ["now"])
    }

    @Test func framesMayArriveByteByByte() throws {
        let pipe = try Pipe(isStream: true)
        for byte in Self.frame(0x82, "a\r\nb") + Self.frame(0x82, "c\r\n") {
            try pipe.receive([byte])
        }
        #expect(pipe.end.text == "a\r\nbc\r\n")
    }

    @Test(arguments: [
        ([0x03, 0xEA], "1002: protocol error"),
        ([0x03, 0xEA] + Array("bad\n".utf8), #"1002: protocol error: bad\n"#),
        ([0x0F, 0xA0] + Array("kicked".utf8), "4000: kicked"), ([], "no code"),
    ])
    func aCloseFrameIsAnsweredAndReported(payload: [UInt8], text: String) throws {
        let pipe = try Pipe()
        try pipe.receive([0x88, UInt8(payload.count)] + payload)
        #expect(pipe.end.close?.description == text)
        #expect(pipe.end.close?.isNormal == payload.isEmpty)
        #expect(Pipe.frames(try pipe.sent()).map(\.0) == [0x88])
        #expect(pipe.end.inputEnds == 1)
        // Nothing after it counts, and the end of the TCP stream is not a second end.
        try pipe.receive(Self.frame(0x81, "late"))
        pipe.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(pipe.end.text.isEmpty)
        #expect(pipe.end.inputEnds == 1)
        #expect(try pipe.send("late\r\n").isEmpty)
    }

    @Test func closingSendsACloseFrameOnce() throws {
        let pipe = try Pipe()
        _ = try pipe.send("par")
        pipe.channel.close(mode: .all, promise: nil)
        let frames = Pipe.frames(try pipe.sent())
        #expect(frames.map(\.0) == [0x88])
        #expect(frames.first?.1 == "\u{3}\u{FFFD}")
    }

    @Test(arguments: [
        ([0x81, 0x81, 1, 2, 3, 4, 0x60], "a masked frame"),
        (frame(0x83, "x"), "a frame with the reserved opcode 3"),
        (frame(0x8B, "x"), "a frame with the reserved opcode 11"),
        (frame(0xC1, "x"), "a frame with reserved bits set"),
        (frame(0x80, "x"), "a continuation frame without a message"),
        (frame(0x01, "x") + frame(0x81, "y"), "a message within a fragmented message"),
        (frame(0x09), "a fragmented control frame"),
        ([0x89, 126, 0, 126], "a control frame of more than 125 bytes"),
        (frame(0x88, "x"), "a malformed close frame"),
    ])
    func whatBreaksTheProtocolEndsTheConnection(bytes: [UInt8], problem: String) throws {
        let pipe = try Pipe()
        try pipe.receive(bytes)
        let text = "the server sent \(problem), so the WebSocket was closed with 1002"
        #expect(pipe.end.error == text)
        let frames = Pipe.frames(try pipe.sent())
        #expect(frames.last?.0 == 0x88)
        #expect(!pipe.channel.isActive)
    }

    @Test func aClientMustMaskItsFrames() throws {
        let pipe = try Pipe(.server)
        try pipe.receive(Self.frame(0x81, "x"))
        let text = "the client sent an unmasked frame, so the WebSocket was closed with 1002"
        #expect(pipe.end.error == text)
    }

    @Test func framesAreLimited() throws {
        let max = WebSocketStream.frameBytesMax
        func header(_ count: Int) -> [UInt8] {
            [0x82, 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        }
        let pipe = try Pipe(isStream: true)
        try pipe.receive(header(max) + [UInt8](repeating: 120, count: max))
        #expect(pipe.end.text.utf8.count == max)
        #expect(pipe.end.error == nil)
        try pipe.receive(header(max + 1))
        let text = "the server sent a frame of more than \(max) bytes, so the WebSocket was closed"
        #expect(pipe.end.error == text + " with 1009")
        let other = try Pipe(isStream: true)
        try other.receive([0x82, 127] + [UInt8](repeating: 0xFF, count: 8))
        #expect(other.end.error == text + " with 1009")
    }
}
