import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPEndpoint

struct MetricsServerTests {
    private func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try HTTPServer.configure(channel.pipeline.syncOperations) { request in
            MetricsServer.answer(request) { "up 1\n" }
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// Returns the server's answers to pieces of input.
    private func answer(_ pieces: [String]) throws -> (text: String, isClosed: Bool) {
        let channel = try connection()
        for piece in pieces where channel.isActive {
            channel.pipeline.fireChannelRead(ByteBuffer(string: piece))
        }
        var text = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: part)
        }
        return (text, !channel.isActive)
    }

    @Test func theHeadAndThePageAreWrittenOnce() throws {
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
        let expected = """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r
            Content-Length: 5\r
            Connection: close\r
            \r
            up 1

            """
        #expect(try answer([request]) == (expected, true))
        #expect(try answer([request + request]) == (expected, true))
        for end in request.indices.dropFirst() {
            let pieces = [String(request[..<end]), String(request[end...])]
            #expect(try answer(pieces) == (expected, true))
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1", "404 Not Found"),
        ("GET /metrics?x=1 HTTP/1.1", "200 OK"),
        ("GET /metrics HTTP/1.0", "200 OK"),
        ("POST /metrics HTTP/1.1", "405 Method Not Allowed"),
        ("nonsense", "400 Bad Request"),
        ("GET /metrics HTTP/9.9", "400 Bad Request"),
    ])
    func requestsGetTheirStatus(line: String, status: String) throws {
        let (text, isClosed) = try answer([line + "\r\n\r\n"])
        #expect(text.hasPrefix("HTTP/1.1 \(status)\r\n"))
        #expect(isClosed)
    }

    @Test func aRequestMayBeAsLongAsTheLimit() throws {
        func request(_ bytes: Int) -> String {
            let (start, end) = ("GET /metrics HTTP/1.1\r\nX: ", "\r\n\r\n")
            let filling = bytes - start.utf8.count - end.utf8.count
            return start + String(repeating: "x", count: filling) + end
        }
        let most = try answer([request(RequestSizeLimit.requestBytesMax)])
        #expect(most.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let more = try answer([request(RequestSizeLimit.requestBytesMax + 1)])
        #expect(more.text.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(more.isClosed)
    }

    @Test func aConnectionThatAsksForNothingIsClosed() throws {
        let channel = try connection()
        channel.pipeline.fireChannelRead(ByteBuffer(string: "GET /metrics"))
        let limit = HTTPServer.connectionTimeMax
        channel.embeddedEventLoop.advanceTime(by: limit - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func connectionsAreCountedUntilTheyAreClosed() throws {
        let count = ConnectionCount()
        let open = (0..<HTTPServer.connectionsMax).map { _ in EmbeddedChannel() }
        #expect(open.allSatisfy { count.add($0) })
        let refused = EmbeddedChannel()
        #expect(!count.add(refused))
        try refused.close().wait()
        refused.embeddedEventLoop.run()
        try open[0].close().wait()
        open[0].embeddedEventLoop.run()
        #expect(count.add(EmbeddedChannel()))
    }
}
