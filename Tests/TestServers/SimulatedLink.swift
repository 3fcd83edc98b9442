import NIOCore
import NIOEmbedded

/// A connection of the simulated network. The server side is a channel with the same handler as for
/// sockets; the client side is a function that receives data.
final class SimulatedLink {
    enum Arrival {
        case connected
        case bytes([UInt8])
        case end
    }

    /// Number of bytes in transit to a client that is not reading at which the server side becomes
    /// unwritable.
    private static let windowBytes = 65_536

    private let loop: EmbeddedEventLoop
    private let latency: TimeAmount
    private let deliver: (Arrival) -> Void
    private let channel: EmbeddedChannel
    /// True if the session no longer needs received data.
    var isForgotten = false
    private var held: [UInt8]?
    private var isInputEnded = false
    private var isReading = true
    /// Data received while the client is not reading.
    private var unread: [Arrival] = []
    private var unreadBytes = 0

    init(
        _ loop: EmbeddedEventLoop, latency: TimeAmount, deliver: @escaping (Arrival) -> Void
    ) {
        self.loop = loop
        self.latency = latency
        self.deliver = deliver
        channel = EmbeddedChannel(loop: loop)
    }

    /// True while the server side is open.
    var isOpen: Bool { channel.isActive }

    func connect(to handler: some ChannelDuplexHandler) {
        after(latency) {
            do {
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
                self.channel.remoteAddress = address
                try self.channel.pipeline.syncOperations.addHandlers(Wire(self), handler)
                self.channel.connect(to: address, promise: nil)
            } catch {
                preconditionFailure("an embedded channel could not be set up: \(error)")
            }
            self.after(self.latency) { self.arrive(.connected) }
        }
    }

    // MARK: To the server

    func send(_ bytes: [UInt8]) {
        guard !isInputEnded else { return }
        if held != nil { held?.append(contentsOf: bytes) } else { transmit(bytes) }
    }

    func hold() { held = held ?? [] }

    func release() {
        guard let bytes = held else { return }
        held = nil
        if !bytes.isEmpty { transmit(bytes) }
    }

    private func transmit(_ bytes: [UInt8]) {
        after(latency) {
            guard self.isOpen else { return }
            self.channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
            self.channel.pipeline.fireChannelReadComplete()
        }
    }

    /// Sends a FIN together with held data.
    func endInput() {
        guard !isInputEnded else { return }
        release()
        isInputEnded = true
        after(latency) {
            guard self.isOpen else { return }
            self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    func reset() {
        isInputEnded = true
        after(latency) { if self.isOpen { self.channel.close(promise: nil) } }
    }

    // MARK: To the client

    func transmitted(_ bytes: [UInt8]) {
        if !bytes.isEmpty { after(latency) { self.arrive(.bytes(bytes)) } }
        unreadBytes += bytes.count
        updateWritability()
    }

    func ended() { after(latency) { self.arrive(.end) } }

    func setReading(_ isReading: Bool) {
        self.isReading = isReading
        guard isReading else { return }
        let arrivals = unread
        unread = []
        for arrival in arrivals { arrive(arrival) }
    }

    private func arrive(_ arrival: Arrival) {
        guard isReading else { return unread.append(arrival) }
        if case .bytes(let bytes) = arrival {
            unreadBytes -= bytes.count
            updateWritability()
        }
        if !isForgotten { deliver(arrival) }
    }

    private func updateWritability() {
        let isWritable = isReading || unreadBytes < Self.windowBytes
        guard channel.isWritable != isWritable else { return }
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    private func after(_ time: TimeAmount, _ task: @escaping () -> Void) {
        loop.assumeIsolated().scheduleTask(in: time, task)
    }
}

/// The outbound handler of the server side: passes writes and closes to the client.
private final class Wire: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let link: SimulatedLink
    private var isEnded = false

    init(_ link: SimulatedLink) { self.link = link }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        link.transmitted(Array(unwrapOutboundIn(data).readableBytesView))
        promise?.succeed()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if !isEnded {
            isEnded = true
            link.ended()
        }
        if mode == .output {
            promise?.succeed()
        } else {
            context.close(mode: mode, promise: promise)
        }
    }
}
