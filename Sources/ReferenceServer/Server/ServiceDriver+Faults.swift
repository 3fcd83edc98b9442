import LineProtocol
import NIOCore

/// Fault injection. None of this code runs unless a fault is armed.
extension ServiceDriver {
    /// How long a client that does not read stalls the others.
    static let stallMilliseconds: Int64 = 1_000
    /// Maximum time a message is held back to be swapped with the next one.
    static let swapMillisecondsMax: Int64 = 500
    /// Delay of each flush while the `halfCloseUnanswered` fault is armed. If the client closes its
    /// sending side within that time, no answers are sent.
    static let unansweredMilliseconds: Int64 = 50
    /// Number of extra copies sent of each answer before login.
    static let amplification = 99

    /// State of the faults that affect more than one connection.
    struct FaultState {
        var message: MessageFaults
        let encodingFaults: EncodingFaults
        var delivery: DeliveryFaults
        /// Time before which no output is sent to any client.
        var stalledUntil = NIODeadline.uptimeNanoseconds(0)
        /// True if all output has stopped permanently.
        var isHanging = false
        /// Connections that the client has closed but the server keeps open.
        var kept: [ClientHandler] = []
        var isReleaseScheduled = false

        init(_ dialect: Dialect, _ faults: FaultInjector) {
            message = MessageFaults(dialect, faults)
            encodingFaults = EncodingFaults(dialect, faults)
            delivery = DeliveryFaults(faults, encodingFaults)
        }
    }

    func isLoggedIn(_ id: ClientID) -> Bool { context.service.session(id) != nil }

    var terminator: [UInt8] { dialect.framing.fromClient.terminator.bytes }

    /// Executes a line after applying faults to it.
    func carryOut(_ unit: EditableLine, _ id: ClientID) {
        guard let changed = faultState?.message.change(unit) else { return }
        let framed = changed.framed
        line.decode(framed.buffer, framed.frame)
        guard let received = faultState?.message.receive(line, framed) else {
            context.close(id, .protocolViolated)
            return carryOutEffects()
        }
        if received.lacksArguments, faults.wouldInject(.fewArgumentsLeave),
            context.service.removeSilently(id)
        {
            faults.count(.fewArgumentsLeave)
        }
        let wasLoggedIn = context.service.session(id) != nil
        let first = context.effects.count
        adapter.receive(received, from: id, &context)
        received.forget()
        if !wasLoggedIn, context.service.session(id) == nil, first < context.effects.count {
            amplify(id)
        }
        carryOutEffects()
        schedule()
    }

    private func amplify(_ id: ClientID) {
        let answer = context.effects.last { effect in
            switch effect {
            case .line(let receiver, _), .answer(let receiver, _): receiver == id
            default: false
            }
        }
        guard let answer, faults.shouldInject(.amplify) else { return }
        context.effects.append(contentsOf: Array(repeating: answer, count: Self.amplification))
    }

    /// Delivers a message, unless a fault drops, changes or misdirects it.
    ///
    /// - Parameter mutated: The message's line with one character changed; nil if that fault is not
    ///   armed.
    func deliverWithFaults(
        _ text: [UInt8], mutated: [UInt8]?, from sender: [UInt8], to audience: [ClientID],
        except speaker: ClientID?
    ) {
        var text = text
        faultState?.encodingFaults.change(&text)
        for id in audience where id != speaker {
            let lines = faultState?.delivery.lines(
                for: text, mutated: mutated, from: sender, to: id)
            for line in lines ?? [] {
                deliver(line, to: id)
            }
        }
        releaseLater()
    }

    /// Simulates a fault: delivers a message to a client outside its audience.
    func leak(_ audience: [ClientID], except speaker: ClientID?, _ notice: ChatNotice) {
        guard notice.isMessage, faults.isArmed(.leak) else { return }
        leak(audience, except: speaker) { _ in
            encode(notice, to: audience.first) ? self.notice : []
        }
    }

    /// Simulates a fault: delivers an adapter-encoded line to a client outside its audience.
    func leak(
        _ audience: [ClientID], except speaker: ClientID?, _ encode: (ClientID) -> [UInt8]
    ) {
        guard faults.isArmed(.leak) else { return }
        let outsiders = context.service.present.filter { $0 != speaker && !audience.contains($0) }
        guard let outsider = outsiders.first, faults.shouldInject(.leak) else { return }
        var line = encode(outsider)
        faultState?.encodingFaults.change(&line)
        deliver(line, to: outsider)
    }

    /// Returns the notice's line with one character of its text changed; nil if that fault is not
    /// armed, or if the line cannot be changed.
    func mutated(
        _ notice: ChatNotice, _ id: ClientID?, _ line: [UInt8]
    ) -> [UInt8]? {
        guard faults.isArmed(.mutate), let mutated = notice.mutated,
            encode(mutated, to: id), self.notice != line
        else { return nil }
        return self.notice
    }

    /// Returns an adapter-encoded line with one character of its payload changed; nil if that fault
    /// is not armed, or if there is no payload that can be changed.
    func mutated(relayed line: [UInt8]) -> [UInt8]? {
        guard faults.isArmed(.mutate) else { return nil }
        var framer = LineFramer(dialect, direction: .fromServer)
        framer.append(line.span)
        guard let payload = framer.next()?.payload,
            let mutated = EncodingFaults.mutated(Array(line[payload]))
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

    /// Stalls output to all clients for ``stallMilliseconds``.
    func stall() {
        faultState?.stalledUntil = eventLoop.now + .milliseconds(Self.stallMilliseconds)
    }

    /// Stops all output permanently.
    func hang() { faultState?.isHanging = true }

    /// Returns whether output is stalled. If it is, schedules a flush for the end of the stall.
    func isStalled() -> Bool {
        if faultState?.isHanging == true { return true }
        guard let until = faultState?.stalledUntil, until > eventLoop.now else { return false }
        eventLoop.assumeIsolated().scheduleTask(deadline: until) { self.flushAll() }
        return true
    }

    /// Applies the faults that occur at the end of a stream. Returns true if a fault has handled
    /// the end.
    func endsWithFaults(_ handler: ClientHandler, isRightBehindData: Bool) -> Bool {
        guard let id = handler.id else { return true }
        // A stale session is noticeable only if the server refuses its name to other clients.
        let keepsNames =
            dialect.behaviours["login"] != nil && dialect.policies["second-login"] == "refuse"
        if isRightBehindData, keepsNames, faults.shouldInject(.staleSessionAfterFin) {
            detach(id)
            handler.close()
            return true
        }
        if handler.hasUnsentAnswers, faults.shouldInject(.halfCloseUnanswered) {
            handler.dropQueue()
        }
        if faults.shouldInject(.descriptorLeak) {
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
