package import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Settings of a WebSocket server: the path and the message format of the connections that it
/// accepts (RFC 6455 §4.2).
package struct WebSocketServer: Sendable {
    /// Time limit for a client to complete the handshake.
    static let handshakeTimeMax = TimeAmount.seconds(10)

    /// The path that clients must request; nil to accept any path.
    package var path: String?
    /// The format of messages.
    package var address: WebSocketAddress

    /// Creates a server. If the path of the address is `/`, any path is accepted.
    package init(_ address: WebSocketAddress) {
        self.address = address
        path = address.path == "/" ? nil : address.path
    }

    /// Adds the handlers to the pipeline of a new connection. Handlers that follow see the
    /// connection become active when the handshake is complete.
    package func prepare(_ channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(WebSocketServerHandshake(self))
    }
}

/// A channel handler that answers a handshake. A ``WebSocketStream`` then takes its place.
final class WebSocketServerHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: WebSocketServer
    private var received = ByteBuffer()
    private var isOver = false
    private var isActive = false
    private var timeout: Scheduled<Void>?

    init(_ server: WebSocketServer) { self.server = server }

    func handlerAdded(context: ChannelHandlerContext) {
        isActive = context.channel.isActive
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: WebSocketServer.handshakeTimeMax) {
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    /// Does not pass on the event. The next handlers receive it when the handshake is complete.
    func channelActive(context: ChannelHandlerContext) {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do {
            guard let head = try HTTPHead(&received, startingWith: "GET ") else { return }
            isOver = true
            answer(head, context)
        } catch {
            isOver = true
            refuse("400 Bad Request", "expected a WebSocket handshake", context)
        }
    }

    private func answer(_ head: HTTPHead, _ context: ChannelHandlerContext) {
        let words = head.firstLine.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" else {
            return refuse("400 Bad Request", "expected an HTTP/1.1 request", context)
        }
        let path = words[1].prefix { $0 != "?" }
        if let wanted = server.path, path != wanted {
            return refuse("404 Not Found", "the WebSocket endpoint is \(wanted)", context)
        }
        guard head.lists("websocket", in: "Upgrade"), head.lists("upgrade", in: "Connection") else {
            return refuse("426 Upgrade Required", "this is a WebSocket server", context)
        }
        guard head.headers["Sec-WebSocket-Version"] == ["13"] else {
            return refuse("426 Upgrade Required", "expected WebSocket version 13", context)
        }
        let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"].map(String.init)
        let wanted = server.address.subprotocol
        let chosen = wanted.map { offered.contains($0) ? $0 : nil } ?? offered.first
        let request = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: String(words[1]), headers: head.headers)
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        upgrader.buildUpgradeResponse(
            channel: context.channel, upgradeRequest: request, initialResponseHeaders: [:]
        ).assumeIsolated().whenComplete { outcome in
            switch outcome {
            case .success(let headers): self.accept(headers, chosen, context)
            case .failure:
                self.refuse("400 Bad Request", "expected one Sec-WebSocket-Key", context)
            }
        }
    }

    private func accept(
        _ headers: HTTPHeaders, _ chosen: String?, _ context: ChannelHandlerContext
    ) {
        var lines = ["HTTP/1.1 101 Switching Protocols"]
        lines += headers.map { "\($0.name): \($0.value)" }
        if let chosen { lines.append("Sec-WebSocket-Protocol: \(chosen)") }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        do {
            try WebSocketStream.add(
                after: self, .server, server.address, context.pipeline.syncOperations)
        } catch {
            return context.close(promise: nil)
        }
        if !isActive { context.fireChannelActive() }
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Answers with an HTTP error and closes the connection.
    private func refuse(_ status: String, _ text: String, _ context: ChannelHandlerContext) {
        let body = text + "\n"
        let answer =
            "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)"
            + "\r\nSec-WebSocket-Version: 13\r\nConnection: close\r\n\r\n\(body)"
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        if !isOver { context.close(promise: nil) }
    }
}
