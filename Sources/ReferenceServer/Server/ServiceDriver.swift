import LineProtocol
import Logging
import NIOCore

/// Carries the service and its adapter: gives them what clients send and the time, does what they say.
///
/// All of it lives on one event loop. A chat is one shared state, and carrying out a line takes less than
/// handing it to another thread would; so there is one order of all messages, and no lock.
final class ServiceDriver {
    let options: ServerOptions
    let logger: Logger
    let faults: FaultInjector
    /// A new framer, to be copied.
    let framer: LineFramer
    let eventLoop: any EventLoop
    var context: RequestContext
    let adapter: any ProtocolAdapter
    let line: RequestLine
    /// Nil where no fault is armed.
    var faultState: FaultState?
    let dialect: Dialect
    /// What has happened since the start.
    var tally = ServerTally()
    /// By slot.
    private var handlers: [ConnectionHandler?] = []
    /// Connections of the service and those that are being closed.
    private var open: [ObjectIdentifier: ConnectionHandler] = [:]
    /// One encoded notice.
    private(set) var notice: [UInt8] = []
    private var toFlush: [ConnectionHandler] = []
    private var slowReaders: [ConnectionID] = []
    private var timer: Scheduled<Void>?
    private var timerDeadline = Int64.max
    private var allClosed: EventLoopPromise<Void>?
    private var isShuttingDown = false

    init(
        _ dialect: Dialect, _ options: ServerOptions, _ eventLoop: any EventLoop
    ) throws(ServerError) {
        self.options = options
        self.eventLoop = eventLoop
        logger = options.logger
        faults = options.faults
        self.dialect = dialect
        framer =
            faults.isArmed
            ? FaultFilter.framer(dialect)
            : LineFramer(dialect, direction: .fromClient, enforcesLimits: true)
        if faults.isArmed { faultState = FaultState(dialect, faults) }
        context = RequestContext(
            ChatService(rules: options.rules, faults: faults), logger: options.logger)
        line = RequestLine(dialect, faults: faults)
        adapter = try AdapterKind(dialect).adapter(dialect, options.rules, faults: faults)
    }

    /// An ear for a new connection that hears what the faults say; nil where none is armed.
    func faultyEar() -> FaultFilter? { faults.isArmed ? FaultFilter(dialect, faults) : nil }

    private var now: Int64 { Int64(clamping: eventLoop.now.uptimeNanoseconds) }

    /// How many connections, sessions and chats there are.
    var counts: ServerCounts {
        ServerCounts(
            connections: context.service.connectionCount, sessions: context.service.sessionCount,
            chats: context.service.chatCount)
    }

    /// Its numbers in Prometheus' text exposition format.
    var metricsPage: String { MetricsPage(counts, tally, faults).text }

    // MARK: Connections

    func add(_ handler: ConnectionHandler) {
        open[ObjectIdentifier(handler)] = handler
        context.now = now
        guard !isShuttingDown,
            let id = context.service.connect(at: context.now, from: handler.address)
        else {
            tally.turnedAway += 1
            answer(ChatService.full, nil, handler)
            handler.close()
            return
        }
        let slot = Int(id.slot)
        while handlers.count <= slot { handlers.append(nil) }
        handlers[slot] = handler
        handler.id = id
        tally.connections += 1
        adapter.greet(id, &context)
        carryOutEffects()
        schedule()
    }

    func remove(_ handler: ConnectionHandler) {
        if let id = handler.id {
            detach(id)
            context.disconnect(id)
            carryOutEffects()
            adapter.forget(id)
        }
        open[ObjectIdentifier(handler)] = nil
        if open.isEmpty { allClosed?.succeed() }
    }

    /// The client has ended its half, and all its whole lines are carried out. What is left is a part of a
    /// line, which is never carried out.
    func inputEnded(_ handler: ConnectionHandler, lost: Int) {
        guard let id = handler.id else { return }
        if lost > 0 {
            logger.info("unfinished line dropped", metadata: ["bytes": "\(lost)"])
        }
        detach(id)
        context.disconnect(id)
        carryOutEffects()
        adapter.forget(id)
        handler.close()
    }

    /// A connection failed: a reset, a handshake that came to nothing.
    func log(_ error: any Error) {
        logger.debug("connection failed", metadata: ["error": "\(error)"])
    }

    func detach(_ id: ConnectionID) {
        handlers[Int(id.slot)]?.id = nil
        handlers[Int(id.slot)] = nil
    }

    private func handler(_ id: ConnectionID) -> ConnectionHandler? {
        guard let handler = handlers[Int(id.slot)], handler.id == id else { return nil }
        return handler
    }

    // MARK: Lines and time

    /// Carries out the line of `frame`, which stands in `buffer`.
    func carryOut(_ buffer: [UInt8], _ frame: Frame, _ id: ConnectionID) {
        guard admitLine(from: id) else { return }
        if faultState != nil { return carryOut(HeardUnit(frame, buffer), id) }
        line.decode(buffer, frame)
        adapter.hear(line, from: id, &context)
        line.forget()
        carryOutEffects()
        schedule()
    }

    /// Whether the connection may send another line now.
    func admitLine(from id: ConnectionID) -> Bool {
        context.now = now
        tally.lines += 1
        if context.service.admitLine(from: id, at: context.now) { return true }
        tally.linesTooMany += 1
        adapter.hearTooMuch(from: id, &context)
        carryOutEffects()
        return false
    }

    /// Sets the timer to the service's next deadline. One that is set too early fires and is set again:
    /// pings put deadlines off all the time.
    func schedule() {
        guard let deadline = context.service.nextDeadline, deadline < timerDeadline else { return }
        timer?.cancel()
        timerDeadline = deadline
        let time = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline)))
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerDeadline = .max
        context.now = now
        context.passTime()
        carryOutEffects()
        schedule()
    }

    // MARK: Effects

    func carryOutEffects() {
        while !context.effects.isEmpty {
            var batch: [ChatEffect] = []
            swap(&batch, &context.effects)
            for effect in batch { carryOut(effect) }
            batch.removeAll(keepingCapacity: true)
            // The room is kept for the next time; cutting slow readers may have filled `effects`.
            if context.effects.isEmpty { swap(&batch, &context.effects) }
            cutSlowReaders()
        }
    }

    private func carryOut(_ effect: ChatEffect) {
        switch effect {
        case .answer(let id, let notice):
            if let handler = handler(id) { answer(notice, id, handler) }
        case .tell(let audience, let sender, let notice):
            tell(audience, except: sender, notice)
        case .line(let id, let line):
            _ = handler(id)?.send(line, isAnswer: true)
        case .relay(let audience, let line):
            tally.texts += 1
            if faultState != nil {
                deliverFaultily(
                    line, mutated: mutated(relayed: line), from: [], to: audience, except: nil)
            } else {
                deliver(line, to: audience, except: nil)
            }
        case .close(let id):
            guard let handler = handler(id) else { return }
            detach(id)
            adapter.forget(id)
            handler.close()
        case .note(let note):
            if case .refused = note { tally.refusals += 1 }
            logger.log(note)
        }
    }

    private func answer(_ notice: ChatNotice, _ id: ConnectionID?, _ handler: ConnectionHandler) {
        guard encode(notice, to: id) else { return }
        faultState?.spoken.change(answer: &self.notice)
        _ = handler.send(self.notice, isAnswer: true)
    }

    private func tell(
        _ audience: [ConnectionID], except sender: ConnectionID?, _ notice: ChatNotice
    ) {
        guard !audience.isEmpty else { return }
        guard encode(notice, to: audience.count == 1 ? audience[0] : nil) else { return }
        if case .renamed = notice, faults.strikes(.silentRename) { return }
        let hearers =
            adapter.choosesHearers ? audience.filter { adapter.hears($0, notice) } : audience
        if notice.isTalk {
            tally.texts += 1
            if faultState != nil {
                let line = self.notice
                return deliverFaultily(
                    line, mutated: mutated(notice, audience, line), from: notice.speaker,
                    to: hearers, except: sender)
            }
        }
        deliver(self.notice, to: hearers, except: sender)
    }

    func deliver(_ line: [UInt8], to id: ConnectionID) { deliver(line, to: [id], except: nil) }

    func deliver(_ line: [UInt8], to audience: [ConnectionID], except sender: ConnectionID?) {
        var count = 0
        for id in audience where id != sender {
            guard let handler = handler(id) else { continue }
            count += 1
            if !handler.send(line, isAnswer: false) { slowReaders.append(id) }
        }
        tally.deliveries += count
    }

    /// Encodes a notice; false if there is nothing to say.
    func encode(_ notice: ChatNotice, to id: ConnectionID?) -> Bool {
        self.notice.removeAll(keepingCapacity: true)
        do {
            try adapter.say(notice, to: id, context.service, &self.notice)
            return !self.notice.isEmpty
        } catch {
            logger.error(
                "a notice that the dialect cannot spell was dropped",
                metadata: ["notice": "\(notice)", "error": "\(error)"])
            return false
        }
    }

    private func cutSlowReaders() {
        tally.slowReaders += slowReaders.count
        for id in slowReaders {
            // What it has not read is dropped but for the last line.
            handler(id)?.dropQueue()
            context.end(id, .readsTooSlowly)
        }
        slowReaders.removeAll(keepingCapacity: true)
    }

    // MARK: Sending

    /// All that one turn of the loop has to say to a client goes out in one write.
    func markForFlush(_ handler: ConnectionHandler) {
        if toFlush.isEmpty {
            if faults.isArmed(.halfCloseUnanswered) {
                let wait = TimeAmount.milliseconds(Self.unansweredMilliseconds)
                eventLoop.assumeIsolated().scheduleTask(in: wait) { self.flushAll() }
            } else {
                eventLoop.assumeIsolated().execute { self.flushAll() }
            }
        }
        toFlush.append(handler)
    }

    func flushAll() {
        if faultState != nil, isStalled() { return }
        // Flushing may carry out lines that were held back, which may mark others.
        var batch: [ConnectionHandler] = []
        swap(&batch, &toFlush)
        for handler in batch { handler.endOfTurn() }
        batch.removeAll(keepingCapacity: true)
        if toFlush.isEmpty { swap(&batch, &toFlush) }
    }

    // MARK: Shutdown

    /// Tells every client, sends what waits, and closes. The future is done when all are closed.
    func shutDown() -> EventLoopFuture<Void> {
        if let allClosed { return allClosed.futureResult }
        let promise = eventLoop.makePromise(of: Void.self)
        allClosed = promise
        isShuttingDown = true
        timer?.cancel()
        context.closeService()
        closeKept()
        for (fault, count) in faults.counts {
            logger.notice(
                "faults committed",
                metadata: ["fault": "\(fault.rawValue)", "count": "\(count)"])
        }
        carryOutEffects()
        if open.isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
