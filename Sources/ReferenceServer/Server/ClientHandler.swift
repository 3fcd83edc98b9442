import LineProtocol
import NIOCore

/// A channel handler for one client connection. It splits the received bytes into lines and buffers
/// output.
///
/// A line is executed only after the output of earlier lines has been written. If a client does not
/// read its answers, the server stops reading from it, so its requests cannot pile up.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Number of unsent bytes at which the handler stops executing requests; also the channel's
    /// high-water mark.
    static let congestionBytes = 65_536

    /// Maximum time between the last data and the end of the stream for which the
    /// `staleSessionAfterFin` fault can occur.
    static let rightBehindMilliseconds: Int64 = 1_000

    private let driver: ServiceDriver
    private var framer: LineFramer
    private var context: ChannelHandlerContext?
    /// The client's IP address; empty for a Unix socket.
    private(set) var address: [UInt8] = []
    /// Connection ID; nil until the service accepts the connection and after the service drops it.
    var id: ClientID?
    /// Output waiting for the channel to become writable, or for the end of the event loop turn.
    private var outbox: Outbox
    private var isSendingEarly = false
    /// True if deferred lines must be executed at the end of the turn.
    private var mayResume = false
    private var isReadHeld = false
    private var isWorking = false
    private var inputEnded = false
    private var lingering: Scheduled<Void>?
    private var isClosing: Bool { outbox.isClosed }
    private var isWritable: Bool { context?.channel.isWritable ?? false }
    /// Applies the armed faults to incoming lines; nil if no fault is armed.
    private let filter: FaultFilter?
    private var hasRead = false
    /// Time when data was last received.
    private var readAt = NIODeadline.uptimeNanoseconds(0)

    init(_ driver: ServiceDriver) {
        self.driver = driver
        framer = driver.framer
        filter = driver.makeFaultFilter()
        let bytesMax = driver.options.sendQueueBytesMax
        outbox = Outbox(bytesEarly: min(Self.congestionBytes, bytesMax), bytesMax: bytesMax)
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    private func begin(_ context: ChannelHandlerContext) {
        address = Array((context.remoteAddress?.ipAddress ?? "").utf8)
        driver.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard id != nil else { return }
        let bytes = unwrapInboundIn(data)
        framer.append(bytes.readableBytesUInt8Span)
        if filter != nil {
            readAt = context.eventLoop.now
            applyFirstReadFaults(bytes.readableBytesView.first)
            let end = driver.terminator.last
            if let end, bytes.readableBytesView.last != end { applySegmentFaults() }
        }
        work()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isWritable {
            if isSendingEarly { mayResume = true } else { resume() }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Flushes the output, then executes the lines that were deferred because nothing could be
    /// sent.
    private func resume() {
        mayResume = false
        flush()
        work()
        resumeReading()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            inputEnded = true
            if isClosing { context.close(promise: nil) } else { work() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        lingering?.cancel()
        lingering = nil
        if isSendingEarly {
            context.eventLoop.assumeIsolated().execute { self.driver.remove(self) }
        } else {
            driver.remove(self)
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset or a failed handshake ends only this connection.
        driver.log(error)
        context.close(promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        if isCongested, !isClosing {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    private func resumeReading() {
        guard isReadHeld, !isCongested else { return }
        isReadHeld = false
        context?.read()
    }

    // MARK: Lines

    /// Executes the complete lines that have been received.
    private func work() {
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        if let filter { return workWithFaults(filter) }
        while let id {
            if isCongested { flush() }
            guard !isCongested else { return }
            guard let frame = framer.next() else { break }
            driver.carryOut(framer.buffer, frame, id)
            driver.spendLineCost()
        }
        if inputEnded, id != nil { driver.inputEnded(self, lost: framer.heldBytes) }
    }

    // MARK: Faults

    /// Executes the received lines after applying faults to them.
    private func workWithFaults(_ filter: FaultFilter) {
        var units: [EditableLine] = []
        while let frame = framer.next() { units.append(EditableLine(frame, framer.buffer)) }
        if inputEnded, framer.heldBytes > 0, driver.faults.shouldInject(.partialLineRuns) {
            framer.append(driver.terminator)
            while let frame = framer.next() { units.append(EditableLine(frame, framer.buffer)) }
        }
        var received = filter.receive(units, hasRest: framer.heldBytes > 0)
        if inputEnded { received += filter.end(hasRest: framer.heldBytes > 0) }
        let wasLoggedIn = id.map(driver.isLoggedIn) ?? false
        for unit in received {
            guard let id else { return }
            let isLost = !wasLoggedIn && driver.isLoggedIn(id)
            if isLost, driver.faults.shouldInject(.pipelinedLoginLost) { continue }
            if driver.admitLine(from: id) { driver.carryOut(unit, id) }
            driver.spendLineCost()
        }
        guard inputEnded, id != nil else { return }
        let isRightBehindData =
            driver.eventLoop.now - readAt < .milliseconds(Self.rightBehindMilliseconds)
        if !driver.endsWithFaults(self, isRightBehindData: isRightBehindData) {
            driver.inputEnded(self, lost: framer.heldBytes)
        }
    }

    /// Applies the faults that depend on the first byte of a connection.
    private func applyFirstReadFaults(_ byte: UInt8?) {
        guard !hasRead, let byte else { return }
        hasRead = true
        let isControl = byte < ASCII.space && byte != ASCII.cr && byte != ASCII.lf
        if isControl, driver.faults.shouldInject(.foreignBytesHang) { driver.hang() }
    }

    /// Applies the faults that occur when a read ends in the middle of a line.
    private func applySegmentFaults() {
        if driver.faults.shouldInject(.slowWriterBlocks) { driver.stall() }
        if driver.faults.shouldInject(.segmentEndsLine) { framer.append(driver.terminator) }
    }

    var hasUnsentAnswers: Bool { outbox.count > 0 }

    // MARK: Sending

    private var isCongested: Bool {
        outbox.count >= Self.congestionBytes || !isWritable
    }

    /// Stalls all clients while this client is not reading, if that fault is armed. Output that is
    /// merely waiting for the end of this turn does not count as unread.
    private func stallIfUnread() {
        if outbox.count >= Self.congestionBytes { sendEarly() }
        if !isWritable, driver.faults.shouldInject(.slowReaderBlocks) { driver.stall() }
    }

    /// Queues complete lines to be sent at the end of the event loop turn. Returns false if the
    /// send queue is full.
    func send(_ bytes: [UInt8], isAnswer: Bool) -> Bool {
        let isFaulty = filter != nil
        var outcome = outbox.add(bytes, isAnswer: isAnswer, isPatient: isFaulty)
        if case .sendFirst = outcome {
            sendEarly()
            outcome = outbox.add(bytes, isAnswer: isAnswer, isPatient: true)
        }
        switch outcome {
        case .full, .sendFirst: return false
        case .closed: return true
        case .added(let isFirst):
            if isFaulty { stallIfUnread() }
            if isFirst { driver.markForFlush(self) }
            return true
        }
    }

    /// Discards queued lines that have not yet been passed to the channel.
    func dropQueue() { outbox.drop() }

    /// Flushes in the middle of a turn, so that a burst of output does not make a client look like
    /// a slow reader. This client's deferred lines are not executed during the flush, because
    /// another client's line is still being processed.
    private func sendEarly() {
        isSendingEarly = true
        flush()
        isSendingEarly = false
    }

    func endOfTurn() {
        outbox.isMarked = false
        if mayResume { resume() } else { flush() }
    }

    private func flush() {
        guard outbox.count > 0, isWritable, let context else { return }
        // The bytes are taken first, because the write may trigger more sends.
        let bytes = outbox.take()
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        outbox.reuse(bytes)
    }

    /// Flushes the output, closes the sending side, and waits a limited time for the peer to close
    /// its side. Closing the connection completely while there are unread bytes would reset it and
    /// lose the last line.
    func close() {
        guard !isClosing, let context else { return }
        outbox.isClosed = true
        id = nil
        let channel = context.channel
        let mode: CloseMode = inputEnded ? .all : .output
        context.writeAndFlush(wrapOutboundOut(outbox.take())).whenComplete { _ in
            channel.close(mode: mode).whenFailure { _ in channel.close(promise: nil) }
        }
        let wait = TimeAmount.milliseconds(driver.options.lingerMillisecondsMax)
        lingering = context.eventLoop.assumeIsolated().scheduleTask(in: wait) {
            channel.close(promise: nil)
        }
        isReadHeld = false
        context.read()
    }
}
