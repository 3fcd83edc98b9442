package import LineProtocol
package import Results

/// The end of a load test.
extension OperatorPool {
    /// One worker's results and counters.
    package struct Report: Sendable, Codable {
        package var recorder = LatencyRecorder()
        package var lateness = LatencyHistogram()
        package var counts = FleetCounts()
        package var violations = ViolationList()
        package var setupFailures: [SetupFailure] = []
        /// Tallies of misbehaving operators, by index of their kind; empty if there are none.
        package var behaviours: [BehaviourTally] = []
        /// Tallies of scenario runs, by scenario index; empty if the load test has no scenarios.
        package var scenarios: [ScenarioTally] = []
        /// Findings of the command-table check; nil if the check was off.
        package var schema: SchemaReport?
        /// CPU time that the worker used during the measurement period, in nanoseconds.
        package var processorTime: Int64 = 0
        /// Length of the measurement period in nanoseconds; shorter than planned if the load test
        /// was stopped.
        package var measured: Int64 = 0
        /// Reasons why the results may be unreliable, apart from those that the counters show.
        package var troubles: [String] = []

        package init() {}

        /// Adds another worker's results.
        package mutating func merge(_ other: Report) {
            recorder.merge(other.recorder)
            lateness.merge(other.lateness)
            counts.merge(other.counts)
            violations.merge(other.violations)
            setupFailures += other.setupFailures.prefix(
                max(0, LoadResults.evidenceMax - setupFailures.count))
            if behaviours.count < other.behaviours.count {
                behaviours += [BehaviourTally](
                    repeating: BehaviourTally(), count: other.behaviours.count - behaviours.count)
            }
            for index in other.behaviours.indices {
                behaviours[index].merge(other.behaviours[index])
            }
            if scenarios.count < other.scenarios.count {
                scenarios += [ScenarioTally](
                    repeating: ScenarioTally(), count: other.scenarios.count - scenarios.count)
            }
            for index in other.scenarios.indices { scenarios[index].merge(other.scenarios[index]) }
            merge(schema: other.schema)
            processorTime += other.processorTime
            measured = max(measured, other.measured)
            troubles += other.troubles.filter { !troubles.contains($0) }
        }

        /// Adds another worker's command-table findings.
        mutating func merge(schema other: SchemaReport?) {
            guard let other else { return }
            schema = schema ?? SchemaReport()
            schema?.merge(other)
        }
    }

    /// Stops expecting deliveries to a member that can no longer be reached.
    mutating func forgetDebts(to index: Int, at now: Int64) {
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        for number in log.first..<log.end {
            guard log.contains(number), !log[number].isOver else { continue }
            let entry = log[number]
            let sender = Int(entry.sender)
            switch entry.action {
            case .probe, .keepalive:
                if sender == index { _ = log.owesOneLess(number) }
            case .say, .relay:
                guard Int(operators[sender].room) == room,
                    !ledgers[room].has(
                        member, from: Int(operators[sender].member), entry.sequence),
                    owes(entry, to: member, room)
                else { continue }
                if log.owesOneLess(number), entry.received > 0 { finishText(entry, last: now) }
            }
        }
    }

    private func owes(_ entry: SentMessageLog.Entry, to member: Int, _ room: Int) -> Bool {
        let sender = Int(operators[Int(entry.sender)].member)
        if entry.action == .relay { return partner(room, sender) == member }
        return sender != member || plan.operatorScript.echoes
    }

    /// Counts missing deliveries and returns the worker's results.
    package mutating func finish(at now: Int64) -> Report {
        countUnanswered(at: now)
        for room in ledgers.indices { countLost(room, at: now) }
        counts.givenUp = log.givenUp
        settleTimes()
        var report = Report()
        report.recorder = recorder
        report.lateness = lateness
        report.counts = counts
        report.violations = violations
        report.setupFailures = setupFailures
        report.behaviours = tallies
        report.schema = schema.report(of: counts.lines)
        return report
    }

    private mutating func countUnanswered(at now: Int64) {
        for number in log.first..<log.end where !log[number].isOver {
            let entry = log[number]
            guard entry.action == .probe else { continue }
            let sender = Int(entry.sender)
            guard isListening(sender) else { continue }
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
            for receiver in 0..<ledger.members where isOwed(ledger, room, sender, receiver) {
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

    private func isOwed(
        _ ledger: RoomLedger, _ room: Int, _ sender: Int, _ receiver: Int
    ) -> Bool {
        // A room uses either `say` or `relay`; plans and options that mix them are rejected.
        if plan.mix.weights.contains(where: { $0.action == .relay }) {
            return partner(room, sender) == receiver
        }
        return sender != receiver || plan.operatorScript.echoes
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
