import LineProtocol
import NIOCore

/// One client's end in the pipeline: cuts its bytes into lines, keeps what waits to be sent.
///
/// Lines are carried out only while what they caused before has gone out: a client that does not read its
/// answers is not read from either, so its own requests cannot pile anything up here.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How much may wait before no more requests are carried out. It is the channel's own high-water mark.
    static let congestionBytes = 65_536

    /// How soon after its last bytes a stream's end comes right behind them.
    static let rightBehindMilliseconds: Int64 = 1_000

    private let driver: ServiceDriver
    private var framer: LineFramer
    private var context: ChannelHandlerContext?
    /// Where the client comes from; empty for a Unix socket.
    private(set) var address: [UInt8] = []
    /// Nil before the service knows the connection and after it has forgotten it.
    var id: ConnectionID?
    /// What waits for the channel to become writable or for the end of the loop's turn.
    private var outbox: Outbox
    private var isSendingEarly = false
    /// Whether lines that were held back may be carried out at the end of the turn.
    private var mayGoOn = false
    private var isReadHeld = false
    private var isWorking = false
    private var inputEnded = false
    private var lingering: Scheduled<Void>?
    private var isClosing: Bool { outbox.isClosed }
    private var isWritable: Bool { context?.channel.isWritable ?? false }
    /// Does what the faults say; nil where none is armed.
    private let ear: FaultFilter?
    /// When bytes came last.
    private var readAt = NIODeadline.uptimeNanoseconds(0)

    init(_ driver: ServiceDriver) {
        self.driver = driver
        framer = driver.framer
        ear = driver.faultyEar()
        let bytesMax = driver.options.sendQueueBytesMax
        outbox = Outbox(bytesEarly: min(Self.congestionBytes, bytesMax), bytesMax: bytesMax)
    }

    // MARK: Events of the channel

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
        if ear != nil {
            readAt = context.eventLoop.now
            let end = driver.terminator.last
            if let end, bytes.readableBytesView.last != end { endSegmentFaultily() }
        }
        work()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isWritable {
            if isSendingEarly { mayGoOn = true } else { goOn() }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Sends what waits, and carries out what was held back because nothing could be sent.
    private func goOn() {
        mayGoOn = false
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
        // Resets and failed handshakes: the connection is over, the server is not.
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

    /// Carries out the whole lines that are there.
    private func work() {
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        if let ear { return workFaultily(ear) }
        while let id {
            if isCongested { flush() }
            guard !isCongested else { return }
            guard let frame = framer.next() else { break }
            driver.carryOut(framer.buffer, frame, id)
        }
        if inputEnded, id != nil { driver.inputEnded(self, lost: framer.heldBytes) }
    }

    // MARK: Faults

    /// Carries out what the faults make of the lines that are there.
    private func workFaultily(_ ear: FaultFilter) {
        var units: [HeardUnit] = []
        while let frame = framer.next() { units.append(HeardUnit(frame, framer.buffer)) }
        if inputEnded, framer.heldBytes > 0, driver.faults.strikes(.partialLineRuns) {
            framer.append(driver.terminator)
            while let frame = framer.next() { units.append(HeardUnit(frame, framer.buffer)) }
        }
        var heard = ear.hear(units, hasRest: framer.heldBytes > 0)
        if inputEnded { heard += ear.end(hasRest: framer.heldBytes > 0) }
        let wasNamed = id.map(driver.isNamed) ?? false
        for unit in heard {
            guard let id else { return }
            let isLost = !wasNamed && driver.isNamed(id)
            if isLost, driver.faults.strikes(.pipelinedLoginLost) { continue }
            if driver.admitLine(from: id) { driver.carryOut(unit, id) }
        }
        guard inputEnded, id != nil else { return }
        let isRightBehindData =
            driver.eventLoop.now - readAt < .milliseconds(Self.rightBehindMilliseconds)
        if !driver.endsFaultily(self, isRightBehindData: isRightBehindData) {
            driver.inputEnded(self, lost: framer.heldBytes)
        }
    }

    /// What faults do where a read ends inside a line.
    private func endSegmentFaultily() {
        if driver.faults.strikes(.slowWriterBlocks) { driver.stall() }
        if driver.faults.strikes(.segmentEndsLine) { framer.append(driver.terminator) }
    }

    var hasUnsentAnswers: Bool { outbox.count > 0 }

    // MARK: Sending

    private var isCongested: Bool {
        outbox.count >= Self.congestionBytes || !isWritable
    }

    /// Has everybody wait for a client that does not read, where that fault is on. What only waits for the end of
    /// this turn is no sign of it.
    private func stallIfUnread() {
        if outbox.count >= Self.congestionBytes { sendEarly() }
        if !isWritable, driver.faults.strikes(.slowReaderBlocks) { driver.stall() }
    }

    /// Adds whole lines to what is sent at the end of the loop's turn. False: too much waits already.
    func send(_ bytes: [UInt8], isAnswer: Bool) -> Bool {
        let isFaulty = ear != nil
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

    /// Forgets the lines that wait and that the channel does not have yet.
    func dropQueue() { outbox.drop() }

    /// Sends in the midst of a turn, so that one who reads is not taken for one who does not, however much
    /// a turn has for it. Nothing of its own is carried out meanwhile: somebody else's line is under way.
    private func sendEarly() {
        isSendingEarly = true
        flush()
        isSendingEarly = false
    }

    func endOfTurn() {
        outbox.isMarked = false
        if mayGoOn { goOn() } else { flush() }
    }

    private func flush() {
        guard outbox.count > 0, isWritable, let context else { return }
        // Taken out first: what the write causes may want to send, too.
        let bytes = outbox.take()
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        outbox.reuse(bytes)
    }

    /// Sends what waits, ends our half, and waits a while for the peer to end its own: closing both at
    /// once would reset the connection where unread bytes are left, and the last line would be lost.
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
