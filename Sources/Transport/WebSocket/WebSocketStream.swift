import LineProtocol
package import NIOCore
package import NIOWebSocket

/// Side of a WebSocket connection: client or server.
package enum WebSocketRole: Sendable {
    case client, server
}

/// A channel handler that carries a byte stream over a WebSocket connection. Handlers after it read
/// and write bytes, as on a TCP connection; handlers before it see frames.
///
/// It answers pings and close frames, and closes the connection if the peer violates the protocol.
package final class WebSocketStream: ChannelDuplexHandler {
    package typealias InboundIn = WebSocketFrame
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The maximum size of a received frame in bytes.
    static let frameBytesMax = 1 << 24

    private let role: WebSocketRole
    private var frames: WebSocketFrames
    private let isStream: Bool
    /// The type of the frames to send; nil to choose one for each message.
    private var kind: WebSocketOpcode?
    private var divider: MessageDivider
    private var joiner: MessageJoiner
    /// True if the peer has sent only part of a message.
    private var isReceiving = false
    /// True if only part of a message has been sent.
    private var isSending = false
    private var hasSentClose = false
    /// True if the peer has ended its stream, with a close frame or without.
    private var isInputClosed = false

    init(_ role: WebSocketRole, _ address: WebSocketAddress) {
        self.role = role
        frames = WebSocketFrames(masks: role == .client)
        let (client, server) = (address.clientLineEnds, address.serverLineEnds)
        divider = MessageDivider(role == .client ? client : server)
        joiner = MessageJoiner(role == .client ? server : client)
        isStream = client.isEmpty
        kind = address.frames.map { $0 == .text ? .text : .binary }
    }

    /// Adds the frame decoder and the stream to a pipeline, after `handler`.
    package static func add(
        after handler: any ChannelHandler, _ role: WebSocketRole, _ address: WebSocketAddress,
        _ pipeline: ChannelPipeline.SynchronousOperations
    ) throws {
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: frameBytesMax))
        try pipeline.addHandler(decoder, position: .after(handler))
        try pipeline.addHandler(WebSocketStream(role, address), position: .after(decoder))
    }

    // MARK: Receiving

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isInputClosed else { return }
        let frame = unwrapInboundIn(data)
        if let problem = problem(of: frame) { return fail(problem, context) }
        switch frame.opcode {
        case .text, .binary:
            // A server answers with the type of frames that its client uses.
            if role == .server { kind = frame.opcode }
            deliver(frame, context)
        case .continuation: deliver(frame, context)
        case .ping: send(.pong, frame.unmaskedData, context)
        case .pong: break
        default: closed(frame.unmaskedData, context)
        }
    }

    /// Returns what is wrong with a frame, or nil.
    private func problem(of frame: WebSocketFrame) -> String? {
        if frame.rsv1 || frame.rsv2 || frame.rsv3 { return "a frame with reserved bits set" }
        let isMasked = frame.maskKey != nil
        if isMasked, role == .client { return "a masked frame" }
        if !isMasked, role == .server { return "an unmasked frame" }
        switch frame.opcode {
        case .text, .binary:
            return isReceiving ? "a message within a fragmented message" : nil
        case .continuation:
            return isReceiving ? nil : "a continuation frame without a message"
        case .ping, .pong, .connectionClose: return nil
        default:
            return "a frame with the reserved opcode \(UInt8(webSocketOpcode: frame.opcode))"
        }
    }

    private func deliver(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        isReceiving = !frame.fin
        var bytes = frame.unmaskedData
        let end = joiner.add(Array(bytes.readableBytesView.suffix(2)), isLast: frame.fin)
        bytes.writeBytes(end)
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    }

    private func closed(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let close = WebSocketClose(payload) else {
            return fail("a malformed close frame", context)
        }
        // A server still answers the requests received before the close frame. It sends its own
        // close frame when it closes the connection.
        if role == .client { sendClose(close.code, context) }
        context.fireUserInboundEventTriggered(close)
        endInput(context)
    }

    /// Reports the end of the peer's stream, once.
    private func endInput(_ context: ChannelHandlerContext) {
        guard !isInputClosed else { return }
        isInputClosed = true
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            endInput(context)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Errors

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength:
            fail("a frame of more than \(Self.frameBytesMax) bytes", code: 1009, context)
        case NIOWebSocketError.fragmentedControlFrame: fail("a fragmented control frame", context)
        case NIOWebSocketError.multiByteControlFrameLength:
            fail("a control frame of more than 125 bytes", context)
        case is ByteToMessageDecoderError: fail("an incomplete frame", context)
        default: context.fireErrorCaught(error)
        }
    }

    /// Closes the connection because the peer has violated the protocol.
    private func fail(_ problem: String, code: UInt16 = 1002, _ context: ChannelHandlerContext) {
        guard !isInputClosed else { return }
        isInputClosed = true
        sendClose(code, context)
        let peer = role == .client ? "server" : "client"
        context.fireErrorCaught(
            ConnectFailure("the \(peer) sent \(problem), so the WebSocket was closed with \(code)"))
        context.close(promise: nil)
    }

    // MARK: Sending

    package func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        let bytes = unwrapOutboundIn(data)
        var target = ByteBuffer()
        if bytes.readableBytes > 0, !hasSentClose {
            target.reserveCapacity(bytes.readableBytes + 16)
            divider.divide(Array(bytes.readableBytesView)) { append($0, isLast: $1, &target) }
        }
        context.write(wrapOutboundOut(target), promise: promise)
    }

    private func append(_ piece: ArraySlice<UInt8>, isLast: Bool, _ target: inout ByteBuffer) {
        let opcode =
            isSending
            ? .continuation : kind ?? Self.kind(of: piece, isStream: isStream, isLast: isLast)
        frames.append(opcode, isLast: isLast, piece, to: &target)
        isSending = !isLast
    }

    /// Returns the type of frame for a message that starts with `piece`. Text must be valid UTF-8
    /// (RFC 6455 §5.6).
    private static func kind(
        of piece: ArraySlice<UInt8>, isStream: Bool, isLast: Bool
    ) -> WebSocketOpcode {
        if isStream { return .binary }
        var bytes = Array(piece)
        if !isLast { bytes.removeIncompleteCharacter() }
        return UTF8Check.firstInvalid(bytes) == nil ? .text : .binary
    }

    private func send(
        _ opcode: WebSocketOpcode, _ payload: ByteBuffer, _ context: ChannelHandlerContext
    ) {
        guard !hasSentClose else { return }
        var target = ByteBuffer()
        frames.append(opcode, payload.readableBytesView, to: &target)
        context.writeAndFlush(wrapOutboundOut(target), promise: nil)
    }

    /// Sends the bytes held back and a close frame, unless a close frame was already sent.
    private func sendClose(_ code: UInt16?, _ context: ChannelHandlerContext) {
        guard !hasSentClose else { return }
        var target = ByteBuffer()
        let rest = divider.finish()
        if !rest.isEmpty { append(rest[...], isLast: false, &target) }
        var payload = ByteBuffer()
        if let code { payload.writeInteger(code) }
        frames.append(.connectionClose, payload.readableBytesView, to: &target)
        hasSentClose = true
        context.writeAndFlush(wrapOutboundOut(target), promise: nil)
    }

    package func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        if mode != .input { sendClose(1000, context) }
        context.close(mode: mode, promise: promise)
    }
}
