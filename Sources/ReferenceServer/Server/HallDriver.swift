import LineProtocol
import Logging
import NIOCore

/// Carries the hall: gives it what clients send and the time, does what it says.
///
/// All of it lives on one event loop. A chat is one shared state, and carrying out a line takes less than
/// handing it to another thread would; so there is one order of all messages, and no lock.
final class HallDriver {
    let options: ServerOptions
    private let logger: Logger
    /// A new framer, to be copied.
    let framer: LineFramer
    private let eventLoop: any EventLoop
    private var hall: ChatHall
    private var reader: RequestReader
    private let writer: NoticeWriter
    /// By slot.
    private var handlers: [ConnectionHandler?] = []
    /// Connections of the hall and those that are being closed.
    private var open: [ObjectIdentifier: ConnectionHandler] = [:]
    private var effects: [ChatEffect] = []
    /// One encoded notice.
    private var line: [UInt8] = []
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
        framer = LineFramer(dialect, direction: .fromClient, enforcesLimits: true)
        hall = ChatHall(rules: options.rules)
        reader = try RequestReader(dialect, nicknameBytesMax: options.rules.nicknameBytesMax)
        writer = try NoticeWriter(dialect)
    }

    private var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// How many connections, sessions and chats there are.
    var counts: ServerCounts {
        ServerCounts(
            connections: hall.connectionCount, sessions: hall.sessionCount, chats: hall.chatCount)
    }

    // MARK: Connections

    func add(_ handler: ConnectionHandler) {
        open[ObjectIdentifier(handler)] = handler
        guard !isShuttingDown, let id = hall.connect(at: now) else {
            answer(ChatHall.full, handler)
            handler.close()
            return
        }
        let slot = Int(id.slot)
        while handlers.count <= slot { handlers.append(nil) }
        handlers[slot] = handler
        handler.id = id
        schedule()
    }

    func remove(_ handler: ConnectionHandler) {
        if let id = handler.id {
            detach(id)
            hall.disconnect(id, &effects)
            carryOutEffects()
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
        hall.disconnect(id, &effects)
        carryOutEffects()
        handler.close()
    }

    /// A connection failed: a reset, a handshake that came to nothing.
    func log(_ error: any Error) {
        logger.debug("connection failed", metadata: ["error": "\(error)"])
    }

    private func detach(_ id: ConnectionID) {
        handlers[Int(id.slot)]?.id = nil
        handlers[Int(id.slot)] = nil
    }

    private func handler(_ id: ConnectionID) -> ConnectionHandler? {
        guard let handler = handlers[Int(id.slot)], handler.id == id else { return nil }
        return handler
    }

    // MARK: Lines and time

    /// Carries out the line of `frame`, which stands in `bytes`.
    func carryOut(_ bytes: Span<UInt8>, _ frame: Frame, _ id: ConnectionID) {
        switch reader.read(bytes, frame) {
        case .nothing:
            return
        case .end(let departure):
            hall.end(id, departure, &effects)
        case .request(let request):
            hall.receive(request, from: id, at: now, &effects)
        case .surplus(let request, let command, let extra):
            logger.warning(
                "more arguments than the command has: ignored, and not told again",
                metadata: ["command": "\(command)", "extra": "\(extra)"])
            hall.receive(request, from: id, at: now, &effects)
        }
        carryOutEffects()
        schedule()
    }

    /// Sets the timer to the hall's next deadline. One that is set too early fires and is set again:
    /// pings put deadlines off all the time.
    private func schedule() {
        guard let deadline = hall.nextDeadline, deadline < timerDeadline else { return }
        timer?.cancel()
        timerDeadline = deadline
        let time = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline)))
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerDeadline = .max
        hall.passTime(to: now, &effects)
        carryOutEffects()
        schedule()
    }

    // MARK: Effects

    private func carryOutEffects() {
        while !effects.isEmpty {
            var batch: [ChatEffect] = []
            swap(&batch, &effects)
            for effect in batch { carryOut(effect) }
            batch.removeAll(keepingCapacity: true)
            // The room is kept for the next time; cutting slow readers may have filled `effects`.
            if effects.isEmpty { swap(&batch, &effects) }
            cutSlowReaders()
        }
    }

    private func carryOut(_ effect: ChatEffect) {
        switch effect {
        case .answer(let id, let notice):
            if let handler = handler(id) { answer(notice, handler) }
        case .tell(let audience, let sender, let notice):
            tell(audience, except: sender, notice)
        case .close(let id):
            guard let handler = handler(id) else { return }
            detach(id)
            handler.close()
        case .note(let note):
            logger.log(note)
        }
    }

    private func answer(_ notice: ChatNotice, _ handler: ConnectionHandler) {
        guard encode(notice) else { return }
        _ = handler.send(line, isAnswer: true)
    }

    private func tell(
        _ audience: [ConnectionID], except sender: ConnectionID?, _ notice: ChatNotice
    ) {
        guard !audience.isEmpty, encode(notice) else { return }
        for id in audience where id != sender {
            guard let handler = handler(id) else { continue }
            if !handler.send(line, isAnswer: false) { slowReaders.append(id) }
        }
    }

    private func encode(_ notice: ChatNotice) -> Bool {
        line.removeAll(keepingCapacity: true)
        do {
            try writer.append(notice, to: &line)
            return true
        } catch {
            logger.error(
                "a notice that the dialect cannot spell was dropped",
                metadata: ["command": "\(notice.kind.rawValue)", "error": "\(error)"])
            return false
        }
    }

    private func cutSlowReaders() {
        for id in slowReaders {
            // What it has not read is dropped but for the last line.
            handler(id)?.dropQueue()
            hall.end(id, .readsTooSlowly, &effects)
        }
        slowReaders.removeAll(keepingCapacity: true)
    }

    // MARK: Sending

    /// All that one turn of the loop has to say to a client goes out in one write.
    func markForFlush(_ handler: ConnectionHandler) {
        if toFlush.isEmpty {
            eventLoop.assumeIsolated().execute { self.flushAll() }
        }
        toFlush.append(handler)
    }

    private func flushAll() {
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
        hall.close(&effects)
        carryOutEffects()
        if open.isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
