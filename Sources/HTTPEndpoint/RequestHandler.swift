import NIOCore
import NIOHTTP1

/// A handler that answers one request and then closes the connection, unless the reply is an event
/// stream.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: (HTTPRequest) -> HTTPReply
    private var isAnswered = false
    private var isStreaming = false
    private var timeout: Scheduled<Void>?

    init(answer: @escaping (HTTPRequest) -> HTTPReply) { self.answer = answer }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: HTTPServer.connectionTimeMax) {
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !isAnswered else { return }
        switch answer(HTTPRequest(head, localPort: context.channel.localAddress?.port)) {
        case .page(let page): send(page, context)
        case .stream(let stream): begin(stream, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isStreaming else {
            context.close(promise: nil)
            return
        }
        switch error {
        case HTTPParserError.headerOverflow:
            send(HTTPPage(.headersTooLarge, "request too large\n"), context)
        case is HTTPParserError: send(HTTPPage(.badRequest, "malformed request\n"), context)
        default: context.close(promise: nil)
        }
    }

    private func send(_ page: HTTPPage, _ context: ChannelHandlerContext) {
        guard !isAnswered else { return }
        isAnswered = true
        var headers: HTTPHeaders = [
            "Content-Type": page.type, "Content-Length": "\(page.body.utf8.count)",
            "Connection": "close",
        ]
        for header in page.headers { headers.add(name: header.name, value: header.value) }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: page.status.rawValue),
            headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(
            wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page.body)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    /// Starts an event stream, which has no time limit.
    private func begin(_ stream: EventStream, _ context: ChannelHandlerContext) {
        isAnswered = true
        isStreaming = true
        timeout?.cancel()
        let headers: HTTPHeaders = [
            "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff", "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        stream.add(context.channel)
    }
}

extension HTTPRequest {
    fileprivate init(_ head: HTTPRequestHead, localPort: Int?) {
        let method: Method =
            switch head.method {
            case .GET: .get
            case .POST: .post
            default: .other
            }
        func only(_ name: String) -> String? {
            let values = head.headers[name]
            return values.count == 1 ? values[0] : nil
        }
        self.init(
            method, head.uri, host: only("Host"), origin: only("Origin"), localPort: localPort)
    }
}

/// A handler that limits the size of a request, measured as the number of bytes read from its
/// connection.
final class RequestSizeLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let requestBytesMax = 8_192

    private var received = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        if received <= Self.requestBytesMax {
            context.fireChannelRead(data)
        } else {
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        }
    }
}
