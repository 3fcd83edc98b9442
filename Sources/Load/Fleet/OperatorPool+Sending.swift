import LineProtocol
import Results

/// What operators do.
extension OperatorPool {
    /// Something that an operator is to do now.
    package struct Due: Sendable, Equatable {
        /// The operator's place in its worker.
        package var index: Int
        package var action: LoadAction
        /// When it should be done.
        package var intended: Int64
    }

    /// A send that began so late says that the generator had too much to do.
    package static let lateNanoseconds: Int64 = 10_000_000

    /// The load begins: everybody is where it should be.
    package mutating func start(_ phases: Phases, share: ArrivalSchedule.Share) {
        self.phases = phases
        orderReady()
        switch plan.model {
        case .open(let all, let pace):
            let stages = plan.coreShare == 1 ? all : all.map { $0.scaled(by: plan.coreShare) }
            // Warm-up goes at the rate with which the measurement starts.
            let warmup = RateStage(
                duration: phases.measureStart - phases.start, rate: stages.first?.startRate ?? 0)
            schedule = ArrivalSchedule(
                warmup.duration > 0 ? [warmup] + stages : stages, pace: pace,
                quantum: plan.quantum, share: share, seed: plan.seed)
        case .closed(let think):
            var wheel = TimerWheel(operators: operators.count, now: phases.start)
            for index in ready {
                // Nobody starts at the same moment as all others.
                let first = Int64(random.nextFraction() * 100_000_000)
                let time = thinkTime(Int(index), think, at: phases.start).draw(&random)
                wheel.set(Int(index), at: phases.start + first + time)
                operators[Int(index)].hasTurn = true
            }
            self.wheel = wheel
        }
        if hasPersonas { startComings(phases) }
    }

    /// One of each room, then the next of each room, and so on.
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

    /// Whether an operator is more than a listener.
    private func doesSomething(_ index: Int) -> Bool {
        guard let kind = plan.kind(of: firstOperator + index) else { return true }
        return kind.mix != nil
    }

    private func thinkTime(_ index: Int, _ usual: ThinkTime, at now: Int64) -> ThinkTime {
        if let own = plan.kind(of: firstOperator + index)?.think { return own }
        guard !plan.thinks.isEmpty, let phases else { return usual }
        return plan.thinks.first { now - phases.measureStart < $0.end }?.think ?? usual
    }

    /// When the driver has to look again; nil: only when something arrives.
    package func nextTime() -> Int64? {
        guard let phases else { return nil }
        if let schedule { return schedule.next.map { $0 + phases.start } }
        if nextThinker < dueThinkers.count { return 0 }
        return wheel?.nextTick
    }

    /// Takes what is due next; nil if nothing is due yet.
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
            // It will come back.
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

    /// In the closed model: the operator's turn is over, and it thinks.
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

    /// What an operator does depends on nothing but the seed, its number and how often it did something.
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

    /// Writes what an operator says into ``outgoing`` and counts it as sent at `now`.
    package mutating func perform(_ due: Due, at now: Int64) {
        let (room, member) = (Int(operators[due.index].room), Int(operators[due.index].member))
        var entry = MessageLog.Entry()
        entry.intended = due.intended
        entry.sent = now
        entry.sender = Int32(due.index)
        entry.action = due.action
        entry.isMeasured = phases?.isMeasured(due.intended) ?? false
        let isProbe =
            (due.action == .probe || due.action == .keepalive && plan.playbook.keepaliveIsProbe)
            && isListening(due.index)
        if isProbe {
            entry.owed = 1
        } else if due.action == .say || due.action == .relay {
            entry.owed = Int32(debtors(due.action, room, member))
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

    private mutating func note(_ entry: MessageLog.Entry, _ now: Int64) {
        counts.sentEver += 1
        if hasPersonas { noteSent(entry) }
        guard entry.isMeasured else { return }
        counts.sent += 1
        lateness.record(now - entry.intended)
        if now - entry.intended > Self.lateNanoseconds { counts.late += 1 }
    }

    /// How many are to have a text.
    private func debtors(_ action: LoadAction, _ room: Int, _ member: Int) -> Int {
        if action == .relay {
            let partner = partner(room, member)
            return partner == member || ledgers[room].hasLeft(partner) ? 0 : 1
        }
        var count = ledgers[room].present
        if !plan.playbook.echoes, !ledgers[room].hasLeft(member),
            !hasPersonas || operators[index(room: room, member: member)].role == .ordinary
        {
            count -= 1
        }
        return count
    }

    /// The member that a member relays to: the next one that behaves as anybody.
    func partner(_ room: Int, _ member: Int) -> Int {
        hasPersonas
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

    mutating func render(_ due: Due, _ entry: MessageLog.Entry, _ number: UInt64) {
        outgoing.removeAll(keepingCapacity: true)
        let action = Int(due.action.rawValue)
        outgoing.append(contentsOf: templates[action].bytes)
        let room = Int(operators[due.index].room)
        for place in templates[action].patches.indices {
            let patch = templates[action].patches[place]
            switch patch.slot {
            case .name, .from:
                plan.write(name: firstOperator + due.index, to: &outgoing, at: patch.place)
            case .to:
                let member = partner(room, Int(operators[due.index].member))
                plan.write(
                    name: firstOperator + index(room: room, member: member), to: &outgoing,
                    at: patch.place)
            case .room:
                Self.write(
                    room: plan.wireNumber(room: rooms.lowerBound + room), to: &outgoing,
                    at: patch.place)
            case .token: Self.write(token: number, to: &outgoing, at: patch.place)
            case .text: writeText(due, entry, number, at: patch.place)
            case .capture0, .capture1, .capture2, .capture3: break
            }
        }
    }

    private static func write(room number: Int, to bytes: inout [UInt8], at place: Int) {
        var span = bytes.mutableSpan
        var rest = number
        var at = place + SlotWidths.room
        while at > place {
            at -= 1
            span[at] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
    }

    private mutating func writeText(
        _ due: Due, _ entry: MessageLog.Entry, _ number: UInt64, at place: Int
    ) {
        let text = MessageText(
            kind: due.action == .relay ? .relay : .say, run: plan.run,
            room: UInt32(rooms.lowerBound + Int(operators[due.index].room)),
            sender: UInt32(firstOperator + due.index), sequence: entry.sequence, message: number)
        text.write(to: &outgoing, at: place, count: plan.playbook.widths.text)
    }

    /// A token: `lj` and the number of the probe.
    private static func write(token number: UInt64, to bytes: inout [UInt8], at place: Int) {
        var span = bytes.mutableSpan
        span[place] = UInt8(ascii: "l")
        span[place + 1] = UInt8(ascii: "j")
        Base32.write(number, SlotWidths.token - 2, to: &span, at: place + 2)
    }

    static func token(_ bytes: Span<UInt8>) -> UInt64? {
        guard bytes.count == SlotWidths.token, bytes[0] == UInt8(ascii: "l"),
            bytes[1] == UInt8(ascii: "j")
        else { return nil }
        return Base32.read(bytes, 2, SlotWidths.token - 2)
    }

    /// The bytes of a logout.
    package mutating func logout(_ index: Int) -> (bytes: [UInt8], halfCloses: Bool) {
        guard operators[index].phase == .ready else { return ([], false) }
        operators[index].phase = .gone
        return (logoutBytes(index), plan.playbook.halfCloses)
    }

    /// What an operator says when it leaves.
    func logoutBytes(_ index: Int) -> [UInt8] {
        var bytes = plan.playbook.logout.bytes
        for patch in plan.playbook.logout.patches {
            switch patch.slot {
            case .name: plan.write(name: firstOperator + index, to: &bytes, at: patch.place)
            case .token: Self.write(token: 0, to: &bytes, at: patch.place)
            default: break
            }
        }
        return bytes
    }
}
