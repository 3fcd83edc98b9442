import NIOCore
import NIOHTTP1

/// Answers a single `GET /metrics` request, then closes the connection.
final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let page: () -> String
    private var isAnswered = false
    private var timeout: Scheduled<Void>?

    init(page: @escaping () -> String) { self.page = page }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: MetricsServer.connectionTimeMax) {
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        let path = request.uri.prefix { $0 != "?" }
        switch (request.method, path) {
        case (.GET, "/metrics"): answer(.ok, page(), context)
        case (.GET, _): answer(.notFound, "see /metrics\n", context)
        default: answer(.methodNotAllowed, "only GET is supported\n", context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow:
            answer(.requestHeaderFieldsTooLarge, "request too large\n", context)
        case is HTTPParserError: answer(.badRequest, "malformed request\n", context)
        default: context.close(promise: nil)
        }
    }

    private func answer(
        _ status: HTTPResponseStatus, _ body: String, _ context: ChannelHandlerContext
    ) {
        guard !isAnswered else { return }
        isAnswered = true
        let headers: HTTPHeaders = [
            "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
            "Content-Length": "\(body.utf8.count)", "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}

/// Limits the number of bytes read from a connection, which carries only a single request.
final class RequestSizeLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The maximum size of a request in bytes.
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
