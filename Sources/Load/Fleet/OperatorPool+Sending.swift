import LineProtocol
import Results

/// Schedules and sends operators' actions.
extension OperatorPool {
    /// An operator's action that is due.
    package struct Due: Sendable, Equatable {
        /// Index of the operator in its worker.
        package var index: Int
        package var action: LoadAction
        /// Due time of the action, in nanoseconds on the monotonic clock.
        package var intended: Int64
    }

    /// Lateness above which a send counts as delayed by an overloaded generator, in nanoseconds.
    package static let lateNanoseconds: Int64 = 10_000_000

    /// Starts the load test once all operators are in their rooms.
    package mutating func start(_ phases: Phases, share: ArrivalSchedule.Share) {
        self.phases = phases
        orderReady()
        switch plan.model {
        case .open(let all, let pace):
            let stages = plan.poolShare == 1 ? all : all.map { $0.scaled(by: plan.poolShare) }
            // Warm-up uses the initial rate of the measurement period.
            let warmup = RateStage(
                duration: phases.measureStart - phases.start, rate: stages.first?.startRate ?? 0)
            schedule = ArrivalSchedule(
                warmup.duration > 0 ? [warmup] + stages : stages, pace: pace,
                batchInterval: plan.batchInterval, share: share, seed: plan.seed)
        case .closed(let think):
            var wheel = TimerWheel(operators: operators.count, now: phases.start)
            for index in ready {
                // Stagger the operators' first actions.
                let first = Int64(random.nextFraction() * 100_000_000)
                let time = thinkTime(Int(index), think, at: phases.start).draw(&random)
                wheel.set(Int(index), at: phases.start + first + time)
                operators[Int(index)].hasTurn = true
            }
            self.wheel = wheel
        }
        if hasBehaviours { scheduleDepartures(phases) }
    }

    /// Orders operators so that consecutive arrivals go to different rooms.
    private mutating func orderReady() {
        let largest = ledgers.map(\.members).max() ?? 0
        for member in 0..<largest {
            for room in ledgers.indices where member < ledgers[room].members {
                let index = index(room: room, member: member)
                if operators[index].phase == .ready, doesSomething(index) {
                    ready.append(Int32(index))
                }
            }
        }
    }

    /// Returns true if an operator ever sends anything.
    private func doesSomething(_ index: Int) -> Bool {
        guard let kind = plan.kind(of: firstOperator + index) else { return true }
        return kind.mix != nil
    }

    private func thinkTime(_ index: Int, _ usual: ThinkTime, at now: Int64) -> ThinkTime {
        if let own = plan.kind(of: firstOperator + index)?.think { return own }
        guard !plan.thinks.isEmpty, let phases else { return usual }
        return plan.thinks.first { now - phases.measureStart < $0.end }?.think ?? usual
    }

    /// Returns the next deadline; nil if there is nothing to do until data arrives.
    package func nextTime() -> Int64? {
        guard let phases else { return nil }
        if let schedule { return schedule.next.map { $0 + phases.start } }
        if nextThinker < dueThinkers.count { return 0 }
        return wheel?.nextTick
    }

    /// Takes the next due action; nil if none is due yet.
    package mutating func takeDue(at now: Int64) -> Due? {
        guard let phases else { return nil }
        return schedule != nil ? takeArrival(at: now, phases) : takeThinker(at: now, phases)
    }

    private mutating func takeArrival(at now: Int64, _ phases: Phases) -> Due? {
        while let next = schedule?.next, next + phases.start <= now {
            let intended = next + phases.start
            guard intended < phases.end else {
                schedule = nil
                return nil
            }
            schedule?.advance()
            if let index = nextOperator() {
                return Due(index: index, action: action(for: index), intended: intended)
            }
            if phases.isMeasured(intended) { counts.unsent += 1 }
        }
        return nil
    }

    private mutating func nextOperator() -> Int? {
        var passedOver = 0
        while passedOver < ready.count {
            if nextReady >= ready.count { nextReady = 0 }
            let index = Int(ready[nextReady])
            switch operators[index].phase {
            case .ready:
                nextReady += 1
                return index
            // A reconnecting operator is skipped rather than removed, because it will return.
            case .away, .setup:
                nextReady += 1
                passedOver += 1
            case .waiting, .failed, .gone: ready.remove(at: nextReady)
            }
        }
        return nil
    }

    private mutating func takeThinker(at now: Int64, _ phases: Phases) -> Due? {
        if nextThinker == dueThinkers.count {
            dueThinkers.removeAll(keepingCapacity: true)
            nextThinker = 0
            wheel?.take(at: now, into: &dueThinkers)
        }
        while nextThinker < dueThinkers.count {
            let (index, time) = dueThinkers[nextThinker]
            nextThinker += 1
            operators[index].hasTurn = false
            guard operators[index].phase == .ready, time < phases.end else { continue }
            return Due(index: index, action: action(for: index), intended: time)
        }
        return nil
    }

    /// Ends an operator's turn in the closed model and starts its think time.
    mutating func thinks(_ index: Int, at now: Int64) {
        guard case .closed(let think) = plan.model, operators[index].phase == .ready,
            !operators[index].hasTurn
        else { return }
        operators[index].hasTurn = true
        let time = thinkTime(index, think, at: now).draw(&random)
        if time == 0 {
            dueThinkers.append((index, now))
        } else {
            wheel?.set(index, at: now + time)
        }
    }

    /// Picks the operator's next action, which depends only on the seed, the operator's number and
    /// its action count.
    private mutating func action(for index: Int) -> LoadAction {
        operators[index].actions &+= 1
        let mix = plan.kind(of: firstOperator + index)?.mix ?? plan.mix
        var action = mix.weights[0].action
        if mix.weights.count > 1 {
            let number = UInt64(firstOperator + index) << 32 | UInt64(operators[index].actions)
            let chance = SeededRandom.mixed(plan.seed &+ SeededRandom.mixed(number))
            action = mix.action(Double(chance >> 11) * 0x1p-53)
        }
        return action
    }

    // MARK: Performing

    /// Writes an action's bytes to ``outgoing`` and counts it as sent at `now`.
    package mutating func perform(_ due: Due, at now: Int64) {
        let (room, member) = (Int(operators[due.index].room), Int(operators[due.index].member))
        var entry = SentMessageLog.Entry()
        entry.intended = due.intended
        entry.sent = now
        entry.sender = Int32(due.index)
        entry.action = due.action
        entry.isMeasured = phases?.isMeasured(due.intended) ?? false
        let isProbe =
            (due.action == .probe
                || due.action == .keepalive && plan.operatorScript.keepaliveIsProbe)
            && isListening(due.index)
        if isProbe {
            entry.owed = 1
        } else if due.action == .say || due.action == .relay {
            entry.owed = Int32(recipientCount(due.action, room, member))
            entry.sequence = ledgers[room].send(member)
            counts.owed += UInt64(entry.owed)
        }
        let number = log.append(entry)
        if isProbe { queueProbe(number, due.index) }
        render(due, entry, number)
        counts.bytesSent += UInt64(outgoing.count)
        if schema.isFirst(due.action) { schema.noteSent(outgoing, for: due.action) }
        if due.action == .keepalive { return }
        note(entry, now)
        if entry.owed == 0 { thinks(due.index, at: now) }
    }

    private mutating func note(_ entry: SentMessageLog.Entry, _ now: Int64) {
        counts.sentEver += 1
        if hasBehaviours { noteSent(entry) }
        guard entry.isMeasured else { return }
        counts.sent += 1
        lateness.record(now - entry.intended)
        if now - entry.intended > Self.lateNanoseconds { counts.late += 1 }
    }

    private func recipientCount(_ action: LoadAction, _ room: Int, _ member: Int) -> Int {
        if action == .relay {
            let partner = partner(room, member)
            return partner == member || ledgers[room].hasLeft(partner) ? 0 : 1
        }
        var count = ledgers[room].present
        if !plan.operatorScript.echoes, !ledgers[room].hasLeft(member),
            !hasBehaviours || operators[index(room: room, member: member)].role == .ordinary
        {
            count -= 1
        }
        return count
    }

    /// Returns the member that `member` relays to: the next ordinary member of the room.
    func partner(_ room: Int, _ member: Int) -> Int {
        hasBehaviours
            ? Int(partners[index(room: room, member: member)])
            : (member + 1) % ledgers[room].members
    }

    private mutating func queueProbe(_ number: UInt64, _ index: Int) {
        let newest = operators[index].newestProbe
        if newest != 0, log.contains(newest) { log[newest].following = number }
        operators[index].newestProbe = number
        if operators[index].oldestProbe == 0 {
            operators[index].oldestProbe = number
            operators[index].answerStep = 0
        }
    }

    mutating func render(_ due: Due, _ entry: SentMessageLog.Entry, _ number: UInt64) {
        outgoing.removeAll(keepingCapacity: true)
        let action = Int(due.action.rawValue)
        outgoing.append(contentsOf: templates[action].bytes)
        let room = Int(operators[due.index].room)
        for patchIndex in templates[action].patches.indices {
            let patch = templates[action].patches[patchIndex]
            switch patch.slot {
            case .name, .from:
                plan.write(name: firstOperator + due.index, to: &outgoing, at: patch.offset)
            case .to:
                let member = partner(room, Int(operators[due.index].member))
                plan.write(
                    name: firstOperator + index(room: room, member: member), to: &outgoing,
                    at: patch.offset)
            case .room:
                Self.write(
                    room: plan.wireNumber(room: rooms.lowerBound + room), to: &outgoing,
                    at: patch.offset)
            case .token: Self.write(token: number, to: &outgoing, at: patch.offset)
            case .text: writeText(due, entry, number, at: patch.offset)
            case .capture0, .capture1, .capture2, .capture3: break
            }
        }
    }

    private static func write(room number: Int, to bytes: inout [UInt8], at offset: Int) {
        var span = bytes.mutableSpan
        var rest = number
        var at = offset + SlotWidths.room
        while at > offset {
            at -= 1
            span[at] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
    }

    private mutating func writeText(
        _ due: Due, _ entry: SentMessageLog.Entry, _ number: UInt64, at offset: Int
    ) {
        let text = MessageText(
            kind: due.action == .relay ? .relay : .say, run: plan.run,
            room: UInt32(rooms.lowerBound + Int(operators[due.index].room)),
            sender: UInt32(firstOperator + due.index), sequence: entry.sequence, message: number)
        text.write(to: &outgoing, at: offset, count: plan.operatorScript.widths.text)
    }

    /// Writes a token: `lj` and the probe's number.
    private static func write(token number: UInt64, to bytes: inout [UInt8], at offset: Int) {
        var span = bytes.mutableSpan
        span[offset] = UInt8(ascii: "l")
        span[offset + 1] = UInt8(ascii: "j")
        Base32.write(number, SlotWidths.token - 2, to: &span, at: offset + 2)
    }

    static func token(_ bytes: Span<UInt8>) -> UInt64? {
        guard bytes.count == SlotWidths.token, bytes[0] == UInt8(ascii: "l"),
            bytes[1] == UInt8(ascii: "j")
        else { return nil }
        return Base32.read(bytes, 2, SlotWidths.token - 2)
    }

    /// Returns the bytes of an operator's logout, and whether the sending side must then be closed.
    package mutating func logout(_ index: Int) -> (bytes: [UInt8], halfCloses: Bool) {
        guard operators[index].phase == .ready else { return ([], false) }
        operators[index].phase = .gone
        return (logoutBytes(index), plan.operatorScript.halfCloses)
    }

    /// Returns the bytes of the dialect's logout for an operator.
    func logoutBytes(_ index: Int) -> [UInt8] {
        var bytes = plan.operatorScript.logout.bytes
        for patch in plan.operatorScript.logout.patches {
            switch patch.slot {
            case .name: plan.write(name: firstOperator + index, to: &bytes, at: patch.offset)
            case .token: Self.write(token: 0, to: &bytes, at: patch.offset)
            default: break
            }
        }
        return bytes
    }
}
