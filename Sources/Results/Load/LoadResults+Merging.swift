import Diagnostics
import LineProtocol

/// Merges results from several generators that ran one load test together.
extension LoadResults {
    /// An error for results that cannot be merged, because they come from different load tests.
    package struct MergeError: Error, Sendable, Equatable {
        /// Index of the result that does not match the first one.
        package var index: Int
        /// The difference between the results, as a phrase.
        package var reason: String
    }

    /// Merges the results of several generators. Histograms and counters are added, seconds are
    /// aligned, and thresholds are evaluated again.
    ///
    /// All results must have the same dialect and plan, with the same model, durations, message
    /// lengths and mix. Rates and the numbers of operators, rooms and workers may differ; they are
    /// added. A shard may occur only once. If a shard is missing, the verdict is inconclusive.
    /// Seconds are aligned by clock time if the results contain their start time.
    package static func merging(_ all: [LoadResults]) throws -> LoadResults {
        guard var sum = all.first else {
            throw MergeError(index: 0, reason: "nothing to merge")
        }
        for (index, other) in all.enumerated().dropFirst() {
            if all[..<index].contains(where: other.isSameLoad) {
                throw MergeError(
                    index: index, reason: "an earlier file contains the same load test")
            }
            if let reason = sum.mismatch(other) {
                throw MergeError(index: index, reason: reason)
            }
            try sum.add(other)
        }
        if all.count > 1 {
            // A rate search finds only the limit of a single generator.
            sum.search = nil
            sum.server = unique(all.map(\.server)).joined(separator: ", ")
            sum.ramp = mergedRamp(all.map { $0.ramp ?? [] })
            if all.contains(where: { $0.environment != sum.environment }) { sum.environment = nil }
            sum.toolVersion = unique(all.map(\.toolVersion)).joined(separator: ", ")
            sum.judge(try unique(all.flatMap(\.thresholds).map(\.text)).map { try Threshold($0) })
        }
        return sum
    }

    /// Adds up the ramps. The result has a point for every time that occurs in any of them; it is
    /// nil if there are no points.
    private static func mergedRamp(_ ramps: [[RampPoint]]) -> [RampPoint]? {
        let times = Set(ramps.joined().map(\.timeNanoseconds)).sorted()
        if times.isEmpty { return nil }
        return times.map { time in
            ramps.compactMap { ramp in ramp.last { $0.timeNanoseconds <= time } }.reduce(
                into: RampPoint(timeNanoseconds: time, connected: 0, ready: 0, failed: 0)
            ) { sum, point in
                sum.connected.grow(by: point.connected)
                sum.ready.grow(by: point.ready)
                sum.failed.grow(by: point.failed)
            }
        }
    }

    private static func unique(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func mismatch(_ other: LoadResults) -> String? {
        if dialect != other.dialect {
            return "its dialect is \(other.dialect), but the first file's is \(dialect)"
        }
        if let reason = mismatch(shards: other.shards) ?? mismatch(start: other) { return reason }
        let (mine, its) = (requested, other.requested)
        let isSame: [(String, Bool)] = [
            ("model", mine.model == its.model),
            ("measurement period", mine.durationNanoseconds == its.durationNanoseconds),
            ("warm-up", mine.warmupNanoseconds == its.warmupNanoseconds),
            ("message size", mine.textBytes == its.textBytes),
            ("mix", mine.mix == its.mix),
            ("plan", mine.plan == its.plan),
            (
                "stages",
                mine.stages?.map(\.durationNanoseconds)
                    == its.stages?.map(\.durationNanoseconds)
            ),
            ("batching interval", mine.batchIntervalNanoseconds == its.batchIntervalNanoseconds),
        ]
        let different = isSame.filter { !$0.1 }.map(\.0)
        if different.isEmpty { return nil }
        return "it has a different plan: \(different.joined(separator: ", "))"
    }

    private func mismatch(shards its: Shards?) -> String? {
        switch (shards, its) {
        case (nil, nil): return nil
        case (let mine?, let its?):
            if mine.count != its.count || mine.run != its.run {
                return "it is a shard of a different load test"
            }
            let twice = its.indices.filter(mine.indices.contains)
            if twice.isEmpty { return nil }
            return "shard \(twice[0])/\(its.count) occurs twice"
        default: return "only one of the files is a shard of a load test"
        }
    }

    /// Returns true if the results are from the same load test, or one of them was merged from it.
    /// Shards have numbers instead, and may all start at the same moment.
    private func isSameLoad(_ other: LoadResults) -> Bool {
        shards == nil && measuredFrom != nil && measuredFrom == other.measuredFrom
            && startedAt == other.startedAt && requested.seed == other.requested.seed
    }

    /// Returns a phrase if the load tests did not overlap. Shards have a rule of their own, which is
    /// applied when they are aligned.
    private func mismatch(start other: LoadResults) -> String? {
        guard shards == nil, let mine = measuredFrom, let its = other.measuredFrom else {
            return nil
        }
        let (later, isOverflow) = its.subtractingReportingOverflow(mine)
        let distance = isOverflow ? .max : Int64(clamping: later.magnitude)
        guard distance >= requested.durationNanoseconds else { return nil }
        return
            "it started \(durationText(distance)) \(later > 0 ? "after" : "before") the first one, "
            + "when that one was not running"
    }

    private mutating func add(_ other: LoadResults) throws {
        var other = other
        align(&other)
        if let its = other.shards, var sum = shards {
            sum.indices = (sum.indices + its.indices).sorted()
            if sum.source != its.source { sum.source = nil }
            shards = sum
        }
        if let more = other.processes { processes = (processes ?? []) + more }
        if let more = other.metrics { metrics = (metrics ?? []) + more }
        if let its = other.machine, (its.otherShare ?? -1) > (machine?.otherShare ?? -2) {
            machine = its
        }
        startedAt = min(startedAt, other.startedAt)
        interruption = interruption ?? other.interruption
        requested.add(other.requested)
        operators.add(other.operators)
        traffic.add(other.traffic)
        try latencies.add(other.latencies)
        try addBehaviours(of: other)
        try addScenarios(of: other)
        ledger.add(other.ledger)
        add(other.commandTable)
        try generator.add(other.generator, over: traffic.measuredNanoseconds, requested.workers)
        try addSeconds(of: other)
    }

    /// Adds the findings of another generator. If either generator did not check lines, the
    /// findings are dropped, because they would be incomplete.
    private mutating func add(_ other: SchemaRecord?) {
        guard let other, var sum = commandTable?.report else {
            commandTable = nil
            return
        }
        sum.merge(other.report)
        commandTable = SchemaRecord(sum)
    }

    /// Maximum difference between the start times of shards, in nanoseconds, for the shards to
    /// count as simultaneous.
    private static let startDifferenceMax = 1e9

    /// Shifts the seconds of the later load test so that equal numbers represent the same clock
    /// time. If a start time is unknown or the load tests did not overlap, the seconds remain
    /// unchanged.
    private mutating func align(_ other: inout LoadResults) {
        guard let mine = measuredFrom, let its = other.measuredFrom else { return }
        let later = Double(its) - Double(mine)
        if shards != nil, abs(later) > Self.startDifferenceMax {
            let seconds = Int(min(abs(later) / 1e9, 1e9))
            generator.limits.append("shards started \(seconds) s apart")
        }
        let isSideBySide = abs(later) < Double(requested.durationNanoseconds)
        let shift = isSideBySide ? Int((later / 1e9).rounded()) : 0
        measuredFrom = min(mine, its)
        if shift > 0 {
            for index in other.seconds.indices { other.seconds[index].second.grow(by: shift) }
        } else {
            for index in seconds.indices { seconds[index].second.grow(by: -shift) }
        }
    }

    private mutating func addScenarios(of other: LoadResults) throws {
        for scenario in other.scenarios ?? [] {
            let index = scenarios?.firstIndex {
                $0.name == scenario.name && $0.file == scenario.file
            }
            guard let index else {
                scenarios = (scenarios ?? []) + [scenario]
                continue
            }
            try scenarios?[index].add(scenario)
        }
    }

    private mutating func addBehaviours(of other: LoadResults) throws {
        for behaviour in other.behaviours ?? [] {
            guard let index = behaviours?.firstIndex(where: { $0.name == behaviour.name }) else {
                behaviours = (behaviours ?? []) + [behaviour]
                continue
            }
            try behaviours?[index].add(behaviour)
        }
    }

    private mutating func addSeconds(of other: LoadResults) throws {
        for second in other.seconds {
            guard let index = seconds.firstIndex(where: { $0.second == second.second }) else {
                seconds.append(second)
                continue
            }
            seconds[index].sent.grow(by: second.sent)
            seconds[index].arrived.grow(by: second.arrived)
            seconds[index].violations.grow(by: second.violations)
            for (metric, times) in second.latencies {
                if seconds[index].latencies[metric] == nil {
                    seconds[index].latencies[metric] = times
                } else {
                    try seconds[index].latencies[metric]?.add(times)
                }
            }
        }
        seconds.sort { $0.second < $1.second }
    }
}

extension LoadResults.Operators {
    fileprivate mutating func add(_ other: Self) {
        ready.grow(by: other.ready)
        failed.grow(by: other.failed)
        unconnected.grow(by: other.unconnected)
        unconnectedHere.grow(by: other.unconnectedHere)
        failures += other.failures.prefix(max(0, LoadResults.evidenceMax - failures.count))
    }
}

extension LoadResults.Traffic {
    fileprivate mutating func add(_ other: Self) {
        measuredNanoseconds = max(measuredNanoseconds, other.measuredNanoseconds)
        sent.grow(by: other.sent)
        unsent.grow(by: other.unsent)
        sentEver.grow(by: other.sentEver)
        answered.grow(by: other.answered)
        owed.grow(by: other.owed)
        delivered.grow(by: other.delivered)
        indefinite.grow(by: other.indefinite)
        foreign.grow(by: other.foreign)
        lines.grow(by: other.lines)
        otherLines.grow(by: other.otherLines)
        bytesSent.grow(by: other.bytesSent)
        bytesReceived.grow(by: other.bytesReceived)
    }
}

extension LoadResults.Ledger {
    fileprivate mutating func add(_ other: Self) {
        violations.merge(other.violations) { $0.grown(by: $1) }
        givenUp.grow(by: other.givenUp)
        for one in other.evidence
        where evidence.count(where: { $0.kind == one.kind }) < ViolationList.keptMax {
            evidence.append(one)
        }
    }
}

extension LoadResults.Generator {
    fileprivate mutating func add(_ other: Self, over time: Int64, _ workers: Int) throws {
        try lateness.add(other.lateness)
        late.grow(by: other.late)
        blocked.grow(by: other.blocked)
        dropped.grow(by: other.dropped)
        processorNanoseconds.grow(by: other.processorNanoseconds)
        let all = Double(time) * Double(workers)
        processorShare = all > 0 ? Double(processorNanoseconds) / all : 0
        // Generators on the same machine read the same kernel counter.
        listenOverflows = [listenOverflows, other.listenOverflows].compactMap(\.self).max()
        // If one generator is overloaded, all figures are unreliable.
        for limit in other.limits where !limits.contains(limit) { limits.append(limit) }
    }
}
