import LineProtocol
import Results

/// Counts missing deliveries and creates the results at the end of a load test.
extension OperatorPool {
    /// Stops expecting deliveries to a member that can no longer be reached.
    mutating func forgetDebts(to index: Int, at now: Int64) {
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        for number in log.first..<log.end {
            guard log.contains(number), !log[number].isOver else { continue }
            let entry = log[number]
            let sender = Int(entry.sender)
            switch entry.action {
            case .probe, .keepalive:
                if sender == index { _ = log.removeRecipient(number) }
            case .say, .relay:
                guard Int(operators[sender].room) == room,
                    !ledgers[room].has(
                        member, from: Int(operators[sender].member), entry.sequence),
                    isOwed(
                        entry.action == .relay, from: Int(operators[sender].member), to: member,
                        room)
                else { continue }
                if log.removeRecipient(number), entry.received > 0 { finishText(entry, last: now) }
            }
        }
    }

    /// Returns true if a message from one member of the room goes to another.
    private func isOwed(_ isRelay: Bool, from sender: Int, to receiver: Int, _ room: Int) -> Bool {
        if isRelay { return table.partner(of: sender, room: room) == receiver }
        return sender != receiver || plan.operatorScript.echoes
    }

    /// Counts missing deliveries and returns the worker's results.
    package mutating func finish(at now: Int64) -> WorkerReport {
        countUnanswered(at: now)
        for room in ledgers.indices { countLost(room, at: now) }
        counts.givenUp = log.givenUp
        counts.unsent = turns.unsent
        latencies.settle()
        var report = WorkerReport()
        report.recorder = latencies.recorder
        report.lateness = latencies.lateness
        report.counts = counts
        report.violations = violations
        report.setupFailures = setupFailures
        report.behaviours = behaviours.tallies
        report.schema = schema.report(of: counts.lines)
        return report
    }

    private mutating func countUnanswered(at now: Int64) {
        for number in log.first..<log.end where !log[number].isOver {
            let entry = log[number]
            guard entry.action == .probe else { continue }
            let sender = Int(entry.sender)
            guard operators[sender].role.readsAtOnce else { continue }
            note(.unanswered) { pool in
                Violation(
                    .unanswered, "a probe from \(pool.name(sender)) was not answered",
                    time: pool.sinceStart(entry.intended))
            }
        }
    }

    private mutating func countLost(_ room: Int, at now: Int64) {
        let ledger = ledgers[room]
        counts.indefinite += ledger.indefinite
        for sender in 0..<ledger.members where ledger.sent[sender] > 0 {
            for receiver in 0..<ledger.members
            where isOwed(isRelayed, from: sender, to: receiver, room) {
                let owed = ledger.owed(to: receiver, from: sender)
                counts.indefinite += owed.indefinite
                guard owed.lost > 0 else { continue }
                note(.lost) { pool in pool.lost(room, sender, receiver, owed.lost, now) }
                violations.count(.lost, owed.lost - 1)
            }
        }
        if ledger.forgottenGaps > 0 {
            violations.count(.lost, ledger.forgottenGaps)
        }
    }

    private func lost(
        _ room: Int, _ sender: Int, _ receiver: Int, _ count: UInt64, _ now: Int64
    ) -> Violation {
        let names = (
            name(index(room: room, member: sender)), name(index(room: room, member: receiver))
        )
        let first = ledgers[room].firstMissing(to: receiver, from: sender) ?? 0
        let messages = count == 1 ? "1 message" : "\(count) messages"
        return Violation(
            .lost,
            "\(names.1) never received \(messages) from \(names.0), starting with message \(first)",
            time: sinceStart(now))
    }
}
