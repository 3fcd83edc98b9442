import NIOCore
import NIOHTTP1
import NIOPosix
package import Transport

/// A client that fetches single pages over HTTP.
package enum HTTPFetch {
    /// Maximum size of a page in bytes.
    package static let bytesMax = 8 << 20
    /// Time to connect, and time to receive the page.
    static let timeout = TimeAmount.seconds(5)

    /// Returns the page at a path.
    package static func page(
        host: String, port: Int, path: String
    ) async throws(ConnectFailure) -> [UInt8] {
        let endpoint = Endpoint(.host(host, port: port))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let page = loop.makePromise(of: [UInt8].self)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(timeout).channelInitializer {
            channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(PageReader(page))
            }
        }
        let channel: any Channel
        do {
            channel = try await bootstrap.connect(host: host, port: port).get()
        } catch {
            page.fail(error)
            throw ConnectFailure(error, endpoint: endpoint, timeout: timeout.nanoseconds)
        }
        let timer = loop.scheduleTask(in: timeout) {
            page.fail(PageReader.Failure(reason: "did not send the page within 5 s"))
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        head.headers.add(name: "Host", value: endpoint.location)
        head.headers.add(name: "Connection", value: "close")
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        defer {
            timer.cancel()
            channel.close(promise: nil)
        }
        do {
            return try await page.futureResult.get()
        } catch {
            let reason = (error as? PageReader.Failure)?.reason ?? "sent invalid HTTP"
            throw ConnectFailure("\(endpoint.location) \(reason)")
        }
    }
}

/// A handler that collects the body of a response.
private final class PageReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    struct Failure: Error { var reason: String }

    private var page: EventLoopPromise<[UInt8]>?
    private var bytes: [UInt8] = []

    init(_ page: EventLoopPromise<[UInt8]>) { self.page = page }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status != .ok { fail("answered with HTTP status \(head.status.code)") }
        case .body(let part):
            bytes += part.readableBytesView
            if bytes.count > HTTPFetch.bytesMax {
                fail("sent more than \(HTTPFetch.bytesMax) bytes")
                context.close(promise: nil)
            }
        case .end:
            page?.succeed(bytes)
            page = nil
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("closed the connection before the end of the page")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("sent invalid HTTP")
        context.close(promise: nil)
    }

    private func fail(_ reason: String) {
        page?.fail(Failure(reason: reason))
        page = nil
    }
}
