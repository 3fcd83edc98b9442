import Diagnostics
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A channel handler that requests a switch to WebSocket (RFC 6455 §4.1). Once the server agrees, a
/// ``WebSocketStream`` takes its place.
final class WebSocketClientHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let endpoint: Endpoint
    private let address: WebSocketAddress
    private let key = NIOWebSocketClientUpgrader.randomRequestKey()
    private var context: ChannelHandlerContext?
    private var promise: EventLoopPromise<Void>?
    private var received = ByteBuffer()

    init(_ endpoint: Endpoint, _ address: WebSocketAddress) {
        self.endpoint = endpoint
        self.address = address
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    /// Sends the request. The promise is completed when the server has answered.
    func begin(_ promise: EventLoopPromise<Void>) {
        guard let context else { return promise.fail(Self.abandoned) }
        self.promise = promise
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    private static let abandoned = ConnectFailure(
        "the connection was abandoned during the WebSocket handshake", .webSocket)

    private var request: String {
        let host = endpoint.host ?? "localhost"
        let port = endpoint.port == (endpoint.isSecure ? 443 : 80) ? nil : endpoint.port
        let authority =
            (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
        let origin =
            address.origin ?? (endpoint.isSecure ? "https://" : "http://") + authority
        var lines = [
            "GET \(address.target) HTTP/1.1", "Host: \(authority)", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
            "Origin: \(origin)",
        ]
        if let name = address.subprotocol { lines.append("Sec-WebSocket-Protocol: \(name)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do {
            guard let head = try HTTPHead(&received, startingWith: "HTTP/1.1 ") else { return }
            if let problem = problem(in: head) { return fail(problem) }
            try WebSocketStream.add(
                after: self, .client, address, context.pipeline.syncOperations)
        } catch {
            return fail((error as? HTTPHead.Malformed)?.reason ?? "\(error)")
        }
        // Completing the promise adds the caller's handlers, if they are not in the pipeline yet.
        promise?.succeed()
        promise = nil
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Returns the reason the server's answer is not acceptable; nil if it is acceptable.
    private func problem(in head: HTTPHead) -> String? {
        let status = head.firstLine.dropFirst("HTTP/1.1 ".count)
        guard status.hasPrefix("101") else {
            return "refused the WebSocket at \(address.path) with HTTP status "
                + escapedForDisplay(String(status))
        }
        guard head.lists("websocket", in: "Upgrade"), head.lists("upgrade", in: "Connection") else {
            return "answered the WebSocket handshake without `Upgrade: websocket`"
        }
        guard head.headers.contains(name: "Sec-WebSocket-Accept") else {
            return "answered the WebSocket handshake without Sec-WebSocket-Accept"
        }
        guard isAccepted(head) else {
            return "answered the WebSocket handshake with a wrong Sec-WebSocket-Accept"
        }
        let chosen = head.headers["Sec-WebSocket-Protocol"].first
        guard chosen == address.subprotocol else {
            let names = [chosen, address.subprotocol].map { name in
                name.map { "the WebSocket subprotocol `\(escapedForDisplay($0))`" }
            }
            return names[0].map { "chose \($0), which was not requested" }
                ?? "does not support \(names[1] ?? "the WebSocket subprotocol")"
        }
        guard head.headers["Sec-WebSocket-Extensions"].isEmpty else {
            return "chose a WebSocket extension, although none was requested"
        }
        return nil
    }

    private func isAccepted(_ head: HTTPHead) -> Bool {
        let upgrader = NIOWebSocketClientUpgrader(requestKey: key) { channel, _ in
            channel.eventLoop.makeSucceededVoidFuture()
        }
        return upgrader.shouldAllowUpgrade(
            upgradeResponse: HTTPResponseHead(
                version: .http1_1, status: .switchingProtocols, headers: head.headers))
    }

    /// Fails the handshake. `reason` is worded to follow `the server`.
    private func fail(_ reason: String) {
        promise?.fail(ConnectFailure("the server \(reason)", .webSocket))
        promise = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard promise != nil else { return context.fireErrorCaught(error) }
        if isReset(error) {
            fail("reset the connection during the WebSocket handshake")
        } else {
            promise?.fail(error)
            promise = nil
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { failClosed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        failClosed()
        context.fireChannelInactive()
    }

    private func failClosed() { fail("closed the connection during the WebSocket handshake") }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        promise?.fail(Self.abandoned)
        promise = nil
    }
}
