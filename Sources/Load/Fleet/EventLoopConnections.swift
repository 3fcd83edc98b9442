import Dispatch
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Transport

/// A set of event-loop connections whose events a single thread handles. They are used
/// instead of raw sockets for TLS and WebSocket.
///
/// Events are placed in an inbox, and ``wait(nanoseconds:)`` sleeps until one arrives.
final class EventLoopConnections: Sendable {
    /// An event on one of the load generator's connections.
    enum Event: Sendable {
        /// The connection was established, including any TLS and WebSocket handshakes.
        case connected
        /// The connection could not be established. `isRefused` is true if nothing is listening at
        /// the address.
        case failed(String, isRefused: Bool)
        case bytes([UInt8])
        /// The server is about to close the connection and gave a reason.
        case closing(reason: String)
        case closed(byReset: Bool)
    }

    /// An event and the connection on which it occurred.
    struct ConnectionEvent: Sendable {
        var connection: EventLoopConnection
        var event: Event
    }

    /// Maximum unsent bytes queued per connection.
    static let unsentBytesMax = 1 << 20

    let endpoint: Endpoint
    let security: (any ConnectionSecurity)?
    let limits: TransportLimits
    private let group: any EventLoopGroup
    private let inbox = Mutex<[ConnectionEvent]>([])
    private let wakeUp = DispatchSemaphore(value: 0)

    init(
        to endpoint: Endpoint, security: (any ConnectionSecurity)?,
        limits: TransportLimits = TransportLimits()
    ) {
        self.endpoint = endpoint
        self.security = security
        self.limits = limits
        group = MultiThreadedEventLoopGroup.singleton
    }

    /// Starts a connection attempt.
    ///
    /// - Parameters:
    ///   - tag: Identifies the connection in events.
    ///   - receiveBuffer: Size of the receive buffer; nil for the system default.
    ///   - source: Local address to connect from; nil for any.
    func connect(
        _ tag: Int, receiveBuffer: Int? = nil, source: String? = nil
    ) -> EventLoopConnection {
        let connection = EventLoopConnection(tag, self)
        let loop = group.next()
        loop.execute { connection.begin(on: loop, receiveBuffer: receiveBuffer, source: source) }
        return connection
    }

    /// Returns the events since the last call. If there are none, first waits until one arrives or
    /// the time is up.
    func wait(nanoseconds: Int64) -> [ConnectionEvent] {
        let found = take()
        if !found.isEmpty || nanoseconds <= 0 { return found }
        _ = wakeUp.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
        return take()
    }

    private func take() -> [ConnectionEvent] {
        inbox.withLock { events in
            let all = events
            events.removeAll()
            return all
        }
    }

    func post(_ event: Event, _ connection: EventLoopConnection) {
        let isFirst = inbox.withLock { events in
            events.append(ConnectionEvent(connection: connection, event: event))
            return events.count == 1
        }
        if isFirst { wakeUp.signal() }
    }
}

/// An event-loop connection. Safe to use from any thread.
final class EventLoopConnection: Sendable {
    /// Identifies the connection in events.
    let tag: Int
    private let owner: EventLoopConnections
    private let state = Mutex(State())

    private struct State {
        var channel: (any Channel)?
        /// True if the caller has closed the connection. Further events are discarded.
        var isLeft = false
        var isConnected = false
        var isClosed = false
        /// Bytes received before the connection was reported established.
        var early: [[UInt8]] = []
    }

    init(_ tag: Int, _ owner: EventLoopConnections) {
        self.tag = tag
        self.owner = owner
    }

    // MARK: Operations

    /// Queues bytes to send; returns false if the queue is full.
    func send(_ bytes: [UInt8]) -> Bool {
        guard let channel = state.withLock({ $0.channel }) else { return true }
        guard channel.isWritable else { return false }
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        return true
    }

    /// Closes the sending side and keeps reading.
    func halfClose() {
        state.withLock { $0.channel }?.close(mode: .output, promise: nil)
    }

    /// Closes the connection gracefully: keeps reading until the peer also closes or a timeout
    /// expires.
    func leave(halfCloses: Bool) {
        let channel = state.withLock { state in
            state.isLeft = true
            return state.channel
        }
        guard let channel else { return }
        if halfCloses { channel.close(mode: .output, promise: nil) }
        channel.eventLoop.scheduleTask(in: .nanoseconds(owner.limits.drainTime)) {
            channel.close(promise: nil)
        }
    }

    func reset() {
        let channel = state.withLock { state in
            state.isLeft = true
            return state.channel
        }
        guard let channel else { return }
        channel.eventLoop.execute {
            let front = try? channel.pipeline.syncOperations.handler(type: PipelineFront.self)
            guard let socket = channel as? any SocketOptionProvider,
                case .host = self.owner.endpoint.address
            else {
                front?.close()
                return
            }
            let bound = NIOLoopBound(front, eventLoop: channel.eventLoop)
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                bound.value?.close()
            }
        }
    }

    /// Stops reading except through ``readSome(_:)``.
    func pauseReading() {
        guard let channel = state.withLock({ $0.channel }) else { return }
        _ = channel.setOption(.autoRead, value: false)
    }

    /// Reads at most `bytes` bytes.
    func readSome(_ bytes: Int) {
        guard let channel = state.withLock({ $0.channel }) else { return }
        let allocator = FixedSizeRecvByteBufferAllocator(capacity: max(1, bytes))
        channel.setOption(.recvAllocator, value: allocator).whenComplete { _ in channel.read() }
    }

    // MARK: On the event loop

    fileprivate func begin(on loop: any EventLoop, receiveBuffer: Int?, source: String?) {
        var bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(.nanoseconds(owner.limits.connectTimeout))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(
                .writeBufferWaterMark,
                value: .init(
                    low: EventLoopConnections.unsentBytesMax / 2,
                    high: EventLoopConnections.unsentBytesMax)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(PipelineFront())
                    try pipeline.addHandler(EventLoopHandler(self))
                }
            }
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(
                .socketOption(.so_rcvbuf), value: SocketOptionValue(clamping: receiveBuffer))
        }
        if let source, let address = try? NIOCore.SocketAddress(ipAddress: source, port: 0) {
            bootstrap = bootstrap.bind(to: address)
        }
        bootstrap.connect(to: owner.endpoint, on: loop).whenComplete { outcome in
            switch outcome {
            case .success(let channel): self.shakeHands(channel)
            case .failure(let error): self.fail(error)
            }
        }
    }

    private func shakeHands(_ channel: any Channel) {
        let endpoint = owner.endpoint
        guard endpoint.needsHandshake else { return stand(channel) }
        do {
            let front = try channel.pipeline.syncOperations.handler(type: PipelineFront.self)
            let timeout = channel.eventLoop.scheduleTask(
                in: .nanoseconds(owner.limits.connectTimeout)
            ) {
                self.fail(
                    ConnectFailure("the \(endpoint.handshakeName) took too long", .handshake))
                channel.close(promise: nil)
            }
            endpoint.shakeHands(channel, at: .after(front), owner.security)
                .whenComplete { outcome in
                    timeout.cancel()
                    switch outcome {
                    case .success: self.stand(channel)
                    case .failure(let error):
                        self.fail(error)
                        channel.close(promise: nil)
                    }
                }
        } catch {
            fail(error)
        }
    }

    private func stand(_ channel: any Channel) {
        let (isLeft, isClosed, early) = state.withLock { state in
            state.channel = channel
            state.isConnected = true
            defer { state.early = [] }
            return (state.isLeft, state.isClosed, state.early)
        }
        guard !isLeft else { return channel.close(promise: nil) }
        owner.post(.connected, self)
        for bytes in early { owner.post(.bytes(bytes), self) }
        if isClosed { owner.post(.closed(byReset: false), self) }
    }

    private func fail(_ error: any Error) {
        let isNew = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed && !state.isConnected && !state.isLeft
        }
        guard isNew else { return }
        let failure = ConnectFailure(
            error, endpoint: owner.endpoint, timeout: owner.limits.connectTimeout)
        owner.post(.failed(failure.reason, isRefused: Self.isRefused(error)), self)
    }

    private static func isRefused(_ error: any Error) -> Bool {
        switch error {
        case let error as IOError: error.errnoCode == ECONNREFUSED || error.errnoCode == ENOENT
        case let error as NIOConnectionError:
            error.connectionErrors.contains { isRefused($0.error) }
        default: false
        }
    }

    fileprivate func received(_ buffer: ByteBuffer) {
        let bytes = Array(buffer.readableBytesView)
        let isPosted = state.withLock { state in
            guard state.isConnected else {
                state.early.append(bytes)
                return false
            }
            return !state.isLeft && !state.isClosed
        }
        if isPosted { owner.post(.bytes(bytes), self) }
    }

    fileprivate func closing(_ close: WebSocketClose) {
        guard !close.isNormal else { return }
        owner.post(.closing(reason: "the server closed the WebSocket with \(close)"), self)
    }

    fileprivate func closed(_ channel: any Channel, byReset: Bool, isWhole: Bool) {
        let (isPosted, isLeft) = state.withLock { state in
            let isPosted = !state.isLeft && !state.isClosed && state.isConnected
            state.isClosed = true
            if isWhole { state.channel = nil }
            return (isPosted, state.isLeft)
        }
        if isPosted { owner.post(.closed(byReset: byReset), self) }
        if isLeft, !isWhole { channel.close(promise: nil) }
    }
}

/// A channel handler that forwards channel events to a connection.
private final class EventLoopHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: EventLoopConnection
    private var sawReset = false

    init(_ connection: EventLoopConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.received(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            connection.closed(context.channel, byReset: sawReset, isWhole: false)
        }
        if let close = event as? WebSocketClose { connection.closing(close) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.closed(context.channel, byReset: sawReset, isWhole: true)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isReset(error) { sawReset = true }
        context.close(promise: nil)
    }
}
