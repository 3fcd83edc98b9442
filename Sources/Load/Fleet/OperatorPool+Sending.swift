import LineProtocol
import Results

/// Schedules and sends operators' actions.
extension OperatorPool {
    /// Starts the load test once all operators are in their rooms.
    package mutating func start(_ phases: Phases, share: LoadShare) {
        turns.start(
            plan, phases, share: share, ready: readyInOrder, operators: &operators)
        if hasBehaviours { scheduleDepartures(phases) }
    }

    /// The operators that send anything, in the order of their turns. Consecutive messages to rooms
    /// go to different rooms. Without such messages, the order is that of the connections: in
    /// another one, the kernel takes longer.
    private var readyInOrder: [Int32] {
        let order = plan.sendsToRooms ? table.alternatingRooms : operators.indices.map { Int32($0) }
        return order.filter {
            operators[Int($0)].phase == .ready && doesSomething(Int($0))
        }
    }

    /// Returns true if an operator ever sends anything.
    private func doesSomething(_ index: Int) -> Bool {
        plan.kind(of: firstOperator + index).map { $0.mix != nil } ?? true
    }

    /// Returns the next deadline; nil if there is nothing to do until data arrives.
    @inline(__always)
    package func nextTime() -> Int64? { turns.nextTime() }

    /// Takes the next due action; nil if none is due yet.
    package mutating func takeDue(at now: Int64) -> DueAction? {
        turns.takeDue(at: now, &operators)
    }

    /// Ends an operator's turn in the closed model and starts its think time.
    mutating func thinks(_ index: Int, at now: Int64) {
        if facts.isClosed { turns.thinks(index, at: now, &operators[index]) }
    }

    // MARK: Performing

    /// Writes an action's bytes to ``outgoing`` and counts it as sent at `now`.
    package mutating func perform(_ due: DueAction, at now: Int64) { sent(prepare(due), at: now) }

    /// Writes an action's bytes to ``outgoing``. Returns its number, to be passed to ``sent(_:at:)``.
    package mutating func prepare(_ due: DueAction) -> UInt64 {
        let (room, member) = (Int(operators[due.index].room), Int(operators[due.index].member))
        var entry = SentMessageLog.Entry()
        entry.intended = due.intended
        entry.sender = Int32(due.index)
        entry.action = due.action
        entry.isMeasured = turns.isMeasured(due.intended)
        let isProbe =
            (due.action == .probe
                || due.action == .keepalive && plan.operatorScript.keepaliveIsProbe)
            && operators[due.index].role.readsAtOnce
        if isProbe {
            entry.owed = 1
        } else if due.action == .say || due.action == .relay {
            entry.owed = Int32(recipientCount(due.action, room, member))
            entry.sequence = ledgers[room].send(member)
            counts.owed += UInt64(entry.owed)
        }
        let number = log.append(entry)
        if isProbe { operators[due.index].probes.append(number, in: &log) }
        write(due, entry, number)
        counts.bytesSent += UInt64(outgoing.count)
        if schema.isFirst(due.action) { schema.noteSent(outgoing, for: due.action) }
        return number
    }

    /// Counts the prepared action with this number as sent at `now`.
    package mutating func sent(_ number: UInt64, at now: Int64) {
        let entry = log.send(number, at: now)
        let index = Int(entry.sender)
        if entry.action == .keepalive { return }
        counts.sentEver += 1
        if operators[index].role != .ordinary { behaviours[operators[index]].sent += 1 }
        if entry.isMeasured {
            counts.sent += 1
            latencies.sent(after: now - entry.intended)
            if now - entry.intended > DueAction.lateNanoseconds { counts.late += 1 }
        }
        if entry.owed == 0 { thinks(index, at: now) }
    }

    @inline(__always)
    private func recipientCount(_ action: LoadAction, _ room: Int, _ member: Int) -> Int {
        if action == .relay {
            let partner = table.partner(of: member, room: room)
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

    mutating func write(_ due: DueAction, _ entry: SentMessageLog.Entry, _ number: UInt64) {
        let room = Int(operators[due.index].room)
        let partner = table.partner(of: Int(operators[due.index].member), room: room)
        writer.write(
            ActionValues(
                action: due.action, sender: firstOperator + due.index,
                recipient: firstOperator + index(room: room, member: partner),
                room: rooms.lowerBound + room, sequence: entry.sequence, message: number))
    }

    /// Returns the bytes of an operator's logout, and whether the sending side must then be closed.
    package mutating func logout(_ index: Int) -> (bytes: [UInt8], halfCloses: Bool) {
        guard operators[index].phase == .ready else { return ([], false) }
        operators[index].phase = .gone
        return (logoutBytes(index), plan.operatorScript.halfCloses)
    }

    /// Returns the bytes of the dialect's logout for an operator.
    func logoutBytes(_ index: Int) -> [UInt8] { writer.logoutBytes(firstOperator + index) }
}
