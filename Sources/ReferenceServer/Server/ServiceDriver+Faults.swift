import LineProtocol
import NIOCore

/// What the server does wrong on demand: none of this is asked where no fault is armed.
extension ServiceDriver {
    /// How long those wait who wait for somebody slow.
    static let stallMilliseconds: Int64 = 1_000
    /// How long a text waits for the next one to change places with.
    static let swapMillisecondsMax: Int64 = 500
    /// How soon after a request the stream has to end for its answer to be lost.
    static let unansweredMilliseconds: Int64 = 50
    /// How often an answer before the login is sent, beside the first time.
    static let amplification = 99

    /// The state of faults that concern all connections.
    struct FaultState {
        var message: MessageFaults
        let spoken: SpokenFaults
        var delivery: DeliveryFaults
        /// Until when nothing is sent to anybody.
        var stalledUntil = NIODeadline.uptimeNanoseconds(0)
        /// Connections that their clients have closed and that are kept.
        var kept: [ConnectionHandler] = []
        var isReleaseScheduled = false

        init(_ dialect: Dialect, _ faults: FaultInjector) {
            message = MessageFaults(dialect, faults)
            spoken = SpokenFaults(dialect, faults)
            delivery = DeliveryFaults(faults, spoken)
        }
    }

    func isNamed(_ id: ConnectionID) -> Bool { context.service.session(id) != nil }

    /// What ends a client's line.
    var terminator: [UInt8] { dialect.framing.fromClient.terminator.bytes }

    /// Carries out a line, or what the faults make of it.
    func carryOut(_ unit: HeardUnit, _ id: ConnectionID) {
        guard let changed = faultState?.message.change(unit) else { return }
        let framed = changed.framed
        line.decode(framed.buffer, framed.frame)
        guard let heard = faultState?.message.hear(line, framed) else {
            context.close(id, .protocolViolated)
            return carryOutEffects()
        }
        if heard.lacksArguments, faults.wouldStrike(.fewArgumentsLeave),
            context.service.takeOutSilently(id)
        {
            faults.count(.fewArgumentsLeave)
        }
        let wasNamed = context.service.session(id) != nil
        let first = context.effects.count
        adapter.hear(heard, from: id, &context)
        heard.forget()
        if !wasNamed, context.service.session(id) == nil, first < context.effects.count {
            amplify(id)
        }
        carryOutEffects()
        schedule()
    }

    private func amplify(_ id: ConnectionID) {
        let answer = context.effects.last { effect in
            switch effect {
            case .line(let receiver, _), .answer(let receiver, _): receiver == id
            default: false
            }
        }
        guard let answer, faults.strikes(.amplify) else { return }
        context.effects.append(contentsOf: Array(repeating: answer, count: Self.amplification))
    }

    /// Delivers a text to its receivers, or to others, or not.
    ///
    /// - Parameter mutated: the line of the text with one letter changed, if that fault is on.
    func deliverFaultily(
        _ text: [UInt8], mutated: [UInt8]?, from sender: [UInt8], to audience: [ConnectionID],
        except speaker: ConnectionID?
    ) {
        var text = text
        faultState?.spoken.change(&text)
        for id in audience where id != speaker {
            let lines = faultState?.delivery.lines(
                for: text, mutated: mutated, from: sender, to: id)
            for line in lines ?? [] {
                deliver(line, to: id)
            }
        }
        releaseLater()
        guard faults.isArmed(.leak) else { return }
        let strangers = context.service.present.filter { $0 != speaker && !audience.contains($0) }
        if let stranger = strangers.first, faults.strikes(.leak) { deliver(text, to: stranger) }
    }

    /// The line of the notice with one letter of its text changed; nil if that makes no difference.
    func mutated(
        _ notice: ChatNotice, _ audience: [ConnectionID], _ line: [UInt8]
    ) -> [UInt8]? {
        guard faults.isArmed(.mutate), let mutated = notice.mutated,
            encode(mutated, to: audience.count == 1 ? audience[0] : nil), self.notice != line
        else { return nil }
        return self.notice
    }

    /// A adapter's own line with one letter of its payload changed; nil if it has none.
    func mutated(relayed line: [UInt8]) -> [UInt8]? {
        guard faults.isArmed(.mutate) else { return nil }
        var framer = LineFramer(dialect, direction: .fromServer)
        framer.append(line.span)
        guard let payload = framer.next()?.payload,
            let mutated = SpokenFaults.mutated(Array(line[payload]))
        else { return nil }
        return Array(line[..<payload.lowerBound]) + mutated + line[payload.upperBound...]
    }

    private func releaseLater() {
        guard let state = faultState, !state.isReleaseScheduled, !state.delivery.waiting.isEmpty
        else { return }
        faultState?.isReleaseScheduled = true
        let wait = TimeAmount.milliseconds(Self.swapMillisecondsMax)
        eventLoop.assumeIsolated().scheduleTask(in: wait) {
            self.faultState?.isReleaseScheduled = false
            for id in self.faultState?.delivery.waiting ?? [] {
                guard let line = self.faultState?.delivery.release(id) else { continue }
                self.deliver(line, to: id)
            }
        }
    }

    /// Lets everybody wait for a while.
    func stall() {
        faultState?.stalledUntil = eventLoop.now + .milliseconds(Self.stallMilliseconds)
    }

    /// Whether everybody waits; then what is to be sent is sent later.
    func isStalled() -> Bool {
        guard let until = faultState?.stalledUntil, until > eventLoop.now else { return false }
        eventLoop.assumeIsolated().scheduleTask(deadline: until) { self.flushAll() }
        return true
    }

    /// The stream's end, where a fault changes what it means. True: nothing else is to be done.
    func endsFaultily(_ handler: ConnectionHandler, isRightBehindData: Bool) -> Bool {
        guard let id = handler.id else { return true }
        // A session that is left over only shows where its name is refused to others.
        let keepsNames =
            dialect.behaviours["login"] != nil && dialect.policies["second-login"] == "refuse"
        if isRightBehindData, keepsNames, faults.strikes(.ghostAfterFinWithData) {
            detach(id)
            handler.close()
            return true
        }
        if handler.hasUnsentAnswers, faults.strikes(.halfCloseUnanswered) { handler.dropQueue() }
        if faults.strikes(.descriptorLeak) {
            detach(id)
            context.disconnect(id)
            carryOutEffects()
            adapter.forget(id)
            faultState?.kept.append(handler)
            return true
        }
        return false
    }

    func closeKept() {
        let kept = faultState?.kept ?? []
        faultState?.kept = []
        for handler in kept { handler.close() }
    }
}
