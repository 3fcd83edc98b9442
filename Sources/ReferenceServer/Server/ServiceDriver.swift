import Glibc
import LineProtocol
import Logging
import NIOCore

/// A driver that connects the chat service and its adapter to channels and to the clock, and
/// executes their effects.
///
/// Everything runs on one event loop: all connections share the chat's state, and executing a line
/// costs less than passing it to another thread. A single loop also keeps all messages in one order
/// and needs no locks.
final class ServiceDriver {
    let options: ServerOptions
    let logger: Logger
    let faults: FaultInjector
    /// A framer in its initial state, copied for each connection.
    let framer: LineFramer
    let eventLoop: any EventLoop
    var context: RequestContext
    let adapter: any ProtocolAdapter
    let line: RequestLine
    /// State of the faults; nil if no fault is armed.
    var faultState: FaultState?
    let dialect: Dialect
    var tally = ServerTally()
    private var handlers: [ClientHandler?] = []
    /// All open channels, including those that are being closed.
    private var open: [ObjectIdentifier: ClientHandler] = [:]
    /// Buffer for the notice that is being encoded.
    private(set) var notice: [UInt8] = []
    private var toFlush: [ClientHandler] = []
    private var slowReaders: [ClientID] = []
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

    /// Returns the fault filter for a new connection; nil if no fault is armed.
    func makeFaultFilter() -> FaultFilter? { faults.isArmed ? FaultFilter(dialect, faults) : nil }

    /// Keeps the CPU busy for the time set by ``ServerOptions/lineCost``.
    func spendLineCost() {
        guard options.lineCost > 0 else { return }
        let end = Self.threadTime + options.lineCost
        while Self.threadTime < end {}
    }

    /// CPU time of the current thread, in nanoseconds.
    private static var threadTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private var now: Int64 { Int64(clamping: eventLoop.now.uptimeNanoseconds) }

    var counts: ServerCounts {
        ServerCounts(
            connections: context.service.connectionCount, sessions: context.service.sessionCount,
            chats: context.service.chatCount)
    }

    /// The server's metrics in the Prometheus text exposition format.
    var metricsPage: String { MetricsPage(counts, tally, faults).text }

    // MARK: Connections

    func add(_ handler: ClientHandler) {
        open[ObjectIdentifier(handler)] = handler
        context.now = now
        guard !isShuttingDown,
            let id = context.service.connect(at: context.now, from: handler.address)
        else {
            tally.rejected += 1
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

    func remove(_ handler: ClientHandler) {
        if let id = handler.id {
            detach(id)
            context.disconnect(id)
            carryOutEffects()
            adapter.forget(id)
        }
        open[ObjectIdentifier(handler)] = nil
        if open.isEmpty { allClosed?.succeed() }
    }

    /// Handles the end of a client's stream after all complete lines have been executed. An
    /// unfinished last line is dropped.
    ///
    /// - Parameter lost: Size in bytes of the unfinished line.
    func inputEnded(_ handler: ClientHandler, lost: Int) {
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

    /// Logs a connection that failed, for example because of a reset or a failed TLS handshake.
    func log(_ error: any Error) {
        logger.debug("connection failed", metadata: ["error": "\(error)"])
    }

    func detach(_ id: ClientID) {
        handlers[Int(id.slot)]?.id = nil
        handlers[Int(id.slot)] = nil
    }

    private func handler(_ id: ClientID) -> ClientHandler? {
        guard let handler = handlers[Int(id.slot)], handler.id == id else { return nil }
        return handler
    }

    // MARK: Lines and time

    /// Decodes and executes the line that `frame` describes in `buffer`.
    func carryOut(_ buffer: [UInt8], _ frame: Frame, _ id: ClientID) {
        guard admitLine(from: id) else { return }
        if faultState != nil { return carryOut(EditableLine(frame, buffer), id) }
        line.decode(buffer, frame)
        adapter.receive(line, from: id, &context)
        line.forget()
        carryOutEffects()
        schedule()
    }

    /// Counts a line, and returns whether the rate limit allows it.
    func admitLine(from id: ClientID) -> Bool {
        context.now = now
        tally.lines += 1
        if context.service.admitLine(from: id, at: context.now) { return true }
        tally.linesTooMany += 1
        adapter.receiveOverLimit(from: id, &context)
        carryOutEffects()
        return false
    }

    /// Sets the timer for the service's next deadline. Pings constantly postpone deadlines; if the
    /// timer fires too early, it is simply set again.
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
            // Reuse the storage, unless executing the effects has added new ones.
            if context.effects.isEmpty { swap(&batch, &context.effects) }
            cutSlowReaders()
        }
    }

    private func carryOut(_ effect: ChatEffect) {
        switch effect {
        case .answer(let id, let notice):
            if let handler = handler(id) { answer(notice, id, handler) }
        case .broadcast(let audience, let sender, let notice):
            broadcast(audience, except: sender, notice)
        case .line(let id, let line):
            _ = handler(id)?.send(line, isAnswer: true)
        case .relay(let audience, let line):
            tally.texts += 1
            if faultState != nil {
                deliverWithFaults(
                    line, mutated: mutated(relayed: line), from: [], to: audience, except: nil)
                leak(audience, except: nil) { _ in line }
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
            adapter.observe(note, &context)
        }
    }

    private func answer(_ notice: ChatNotice, _ id: ClientID?, _ handler: ClientHandler) {
        guard encode(notice, to: id) else { return }
        faultState?.encodingFaults.change(answer: &self.notice)
        _ = handler.send(self.notice, isAnswer: true)
    }

    private func broadcast(
        _ audience: [ClientID], except sender: ClientID?, _ notice: ChatNotice
    ) {
        guard !audience.isEmpty else { return }
        if notice.isMessage { tally.texts += 1 }
        guard adapter.hasForms else {
            let id = audience.count == 1 ? audience[0] : nil
            broadcast(audience, except: sender, notice, encodedFor: id)
            return leak(audience, except: sender, notice)
        }
        var rest = audience.filter { $0 != sender }
        while let id = rest.first {
            let form = adapter.form(of: id)
            let alike = rest.filter { adapter.form(of: $0) == form }
            rest.removeAll { adapter.form(of: $0) == form }
            broadcast(alike, except: nil, notice, encodedFor: id)
        }
        leak(audience, except: sender, notice)
    }

    /// Encodes a notice once and delivers it to clients with the same form.
    private func broadcast(
        _ audience: [ClientID], except sender: ClientID?, _ notice: ChatNotice,
        encodedFor id: ClientID?
    ) {
        guard encode(notice, to: id) else { return }
        if case .renamed = notice, faults.shouldInject(.silentRename) { return }
        let receivers =
            adapter.filtersReceivers ? audience.filter { adapter.receives($0, notice) } : audience
        if notice.isMessage, faultState != nil {
            let line = self.notice
            return deliverWithFaults(
                line, mutated: mutated(notice, id, line), from: notice.speaker, to: receivers,
                except: sender)
        }
        deliver(self.notice, to: receivers, except: sender)
    }

    func deliver(_ line: [UInt8], to id: ClientID) { deliver(line, to: [id], except: nil) }

    func deliver(_ line: [UInt8], to audience: [ClientID], except sender: ClientID?) {
        var count = 0
        for id in audience where id != sender {
            guard let handler = handler(id) else { continue }
            count += 1
            if !handler.send(line, isAnswer: false) { slowReaders.append(id) }
        }
        tally.deliveries += count
    }

    /// Encodes a notice. Returns false if the protocol has no line for it.
    func encode(_ notice: ChatNotice, to id: ClientID?) -> Bool {
        self.notice.removeAll(keepingCapacity: true)
        do {
            try adapter.encode(notice, to: id, context.service, &self.notice)
            return !self.notice.isEmpty
        } catch {
            logger.error(
                "dropped a notice that the dialect cannot encode",
                metadata: ["notice": "\(notice)", "error": "\(error)"])
            return false
        }
    }

    private func cutSlowReaders() {
        tally.slowReaders += slowReaders.count
        for id in slowReaders {
            // Discard all unread output except the closing line.
            handler(id)?.dropQueue()
            context.end(id, .readsTooSlowly)
        }
        slowReaders.removeAll(keepingCapacity: true)
    }

    // MARK: Sending

    /// Marks a connection to be flushed at the end of the turn, so that each client gets one write
    /// per turn.
    func markForFlush(_ handler: ClientHandler) {
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
        // Flushing may execute deferred lines, which may in turn mark more connections.
        var batch: [ClientHandler] = []
        swap(&batch, &toFlush)
        for handler in batch { handler.endOfTurn() }
        batch.removeAll(keepingCapacity: true)
        if toFlush.isEmpty { swap(&batch, &toFlush) }
    }

    // MARK: Shutdown

    /// Notifies every client, flushes the clients' output, and closes all connections. The future
    /// succeeds once all connections are closed.
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
                "injected faults",
                metadata: ["fault": "\(fault.rawValue)", "count": "\(count)"])
        }
        carryOutEffects()
        if open.isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
