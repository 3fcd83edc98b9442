import NIOCore

/// Answers `GET /metrics` over HTTP/1.1, one request a connection. It reads no more of a request than its
/// first line.
final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The most that is read of a request before its head has to be complete.
    static let headBytesMax = 8_192
    private static let headEnd = Array("\r\n\r\n".utf8)

    private let page: () -> String
    private var head: [UInt8] = []
    private var isAnswered = false

    init(page: @escaping () -> String) { self.page = page }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        head.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        if head.count > Self.headBytesMax {
            return answer("431 Request Header Fields Too Large", "too long\n", context)
        }
        guard isComplete else { return }
        let line = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return answer("400 Bad Request", "not understood\n", context)
        }
        let path = words[1].prefix { $0 != "?" }
        switch (words[0], path) {
        case ("GET", "/metrics"): answer("200 OK", page(), context)
        case ("GET", _): answer("404 Not Found", "see /metrics\n", context)
        default: answer("405 Method Not Allowed", "only GET\n", context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private var isComplete: Bool {
        guard head.count >= Self.headEnd.count else { return false }
        return head.indices.dropLast(Self.headEnd.count - 1).contains { start in
            head[start..<(start + Self.headEnd.count)].elementsEqual(Self.headEnd)
        }
    }

    private func answer(_ status: String, _ body: String, _ context: ChannelHandlerContext) {
        isAnswered = true
        let text =
            "HTTP/1.1 \(status)\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
