import Diagnostics
import LineProtocol
import Results
import Testing

@testable import Load

/// Results of one generator out of several.
private func part(_ seed: UInt64, count: Int = 2_000, rate: Double = 1_000) throws -> LoadResults {
    let plan = try livechatPlan(
        .say, model: .open([RateStage(duration: 2_000_000_000, rate: rate)], .constant))
    var report = WorkerReport()
    report.measured = 2_000_000_000
    report.counts.sent = UInt64(count)
    report.counts.ready = 12
    report.processorTime = 500_000_000
    var random = SeededRandom(seed: seed)
    var second = LoadSecond()
    for _ in 0..<count {
        let time = Int64(random.nextExponential() * 1e6)
        report.recorder.record(.say, intended: 0, sent: 0, over: time)
        report.lateness.record(10_000)
        second.latencies[.say, default: LatencyHistogram()].record(time)
    }
    second.sent = UInt64(count)
    return LoadResults(
        LoadDescription(
            toolVersion: "test", startedAt: 1_700_000_000 + Int64(seed), server: "tcp://a:1",
            plan: plan, options: FleetOptions(duration: 2_000_000_000),
            thresholds: [try Threshold("p99(say) < 10ms"), try Threshold("rate >= 99%")]),
        report, seconds: [(Int(seed % 2), second), (5, second)])
}

@Test func mergedResultsAreThoseOfOneGeneratorThatDidAll() throws {
    let parts = try (1...3).map { try part(UInt64($0)) }
    let merged = try LoadResults.merging(parts)
    #expect(merged.traffic.sent == 6_000)
    #expect(merged.requested.operators == 3 * parts[0].requested.operators)
    #expect(merged.requested.ratePerSecond == 3_000)
    #expect(merged.ratePercent == 100)
    #expect(merged.startedAt == 1_700_000_001)
    #expect(merged.seconds.map(\.second) == [0, 1, 5])
    #expect(merged.seconds.map(\.sent) == [2_000, 4_000, 6_000])
    #expect(merged.verdict == .passed)
    var whole = LatencyHistogram()
    for part in parts { whole.merge(try #require(part.response(.say)).decoded()) }
    let found = try #require(merged.response(.say))
    #expect(try found.decoded().values.map(\.value) == whole.values.map(\.value))
    #expect(try found.decoded().values.map(\.count) == whole.values.map(\.count))
    #expect(found.max == parts.compactMap { $0.response(.say)?.max }.max())
    #expect(found.p99 == whole.percentile(99))
    #expect(abs(found.mean / whole.mean - 1) < 0.001)
    #expect(abs(found.deviation / whole.deviation - 1) < 0.01)
}

@Test func aThresholdOfMergedResultsIsJudgedOnAll() throws {
    var slow = try part(1)
    slow.thresholds[0].text = "p99(say) < 1ms"
    slow.judge([try Threshold("p99(say) < 1ms")])
    #expect(slow.verdict == .failed)
    #expect(try LoadResults.merging([slow, slow]).verdict == .failed)
    #expect(try LoadResults.merging([slow, slow]).thresholds.count == 1)
}

@Test func oneGeneratorThatWasTheLimitMakesAllInconclusive() throws {
    var limited = try part(2)
    limited.generator.limits = ["it had no time"]
    let merged = try LoadResults.merging([try part(1), limited])
    #expect(merged.verdict == .inconclusive)
    #expect(merged.reasons.contains("it had no time"))
}

@Test func violationsAddAndTheFirstOfEachKindAreKept() throws {
    var broken = try part(1)
    broken.ledger.violations["lost"] = 7
    broken.ledger.evidence = (0..<8).map { .init(kind: "lost", story: "text \($0)") }
    let merged = try LoadResults.merging([broken, broken])
    #expect(merged.violations(.lost) == 14)
    #expect(merged.ledger.evidence.count == ViolationList.keptMax)
    #expect(merged.verdict == .failed)
}

/// The possible differences between two loads, and their descriptions.
private let mismatches: [String: @Sendable (inout LoadResults) -> Void] = [
    "its dialect is irc": { $0.dialect = "irc" },
    "it has a different plan: model": { $0.requested.model = "closed" },
    "it has a different plan: message size": { $0.requested.textBytes = 99 },
    "it has a different plan: mix": { $0.requested.mix = ["relay": 1] },
    "it has a different plan: measurement period": { $0.requested.durationNanoseconds = 1 },
]

@Test(arguments: mismatches.keys.sorted())
func whatDoesNotBelongTogetherIsNotMerged(words: String) throws {
    var other = try part(2)
    mismatches[words]?(&other)
    let error = #expect(throws: LoadResults.MergeError.self) {
        try LoadResults.merging([try part(1), other])
    }
    #expect(error?.index == 1)
    #expect(error?.reason.hasPrefix(words) == true, "\(error?.reason ?? "")")
}

/// Runs of zeros whose length does not fit.
@Test(arguments: [
    [UInt8](repeating: 0xFF, count: 9),
    [0x02, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
])
func aHistogramWithTooLongAGapIsRefused(_ counts: [UInt8]) {
    let bytes = HistogramCodec.encoded(LatencyHistogram()) + counts
    #expect(throws: HistogramCodec.Malformed.self) { try HistogramCodec.decode(bytes) }
}

@Test func aHistogramThatCountsTooMuchIsRefused() {
    var histogram = LatencyHistogram()
    histogram.record(5, count: 1)
    var bytes = HistogramCodec.encoded(histogram)
    // The largest integer instead of 1.
    bytes.removeLast()
    bytes += [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: HistogramCodec.Malformed.self) { try HistogramCodec.decode(bytes) }
}

@Test func orderStatisticsEncloseTheQuantile() {
    // With a thousand samples from one distribution, the interval must almost always contain the
    // median.
    var held = 0
    for seed in 0..<200 {
        var random = SeededRandom(seed: UInt64(seed))
        var histogram = LatencyHistogram()
        for _ in 0..<1_000 { histogram.record(Int64(random.nextExponential() * 1e6)) }
        let interval = SampleDistribution(histogram.values).interval(0.5, deviations: 1.96)
        if (interval.low...interval.high).contains(693_147) { held += 1 }
    }
    #expect(held >= 180)
}

@Test func theNormalDistributionIsKnown() {
    #expect(abs(deviations(confidence: 0.95) - 1.959_96) < 0.000_1)
    #expect(abs(deviations(confidence: 0.99) - 2.575_83) < 0.000_1)
}

@Test func messagesWithoutARecipientMeasureNothing() throws {
    var results = try part(1)
    results.judge([])
    #expect(results.verdict == .passed)
    results.latencies = []
    results.judge([])
    #expect(results.verdict == .inconclusive)
    #expect(results.reasons == ["no message had a recipient, so nothing was measured"])
    // A delivery that was expected is a measurement, even if it took no time.
    results.traffic.owed = 1
    results.judge([])
    #expect(results.verdict == .passed)
}

/// Results of a generator without a shard number that started this many nanoseconds after the first.
private func generator(_ seed: UInt64, later: Int64 = 0) throws -> LoadResults {
    var results = try part(seed)
    results.requested.seed = seed
    results.measuredFrom = 1_700_000_000_000_000_000 + later
    return results
}

@Test func generatorsThatOverlapAreMerged() throws {
    let length = try part(1).requested.durationNanoseconds
    _ = try LoadResults.merging([try generator(1), try generator(2, later: length - 1)])
    // Generators may have started at the same moment, but then they have different seeds.
    _ = try LoadResults.merging([try generator(1), try generator(2)])
}

@Test func generatorsThatDidNotOverlapAreRefused() throws {
    let length = try part(1).requested.durationNanoseconds
    for (later, word) in [(length, "after"), (-length, "before")] {
        let error = #expect(throws: LoadResults.MergeError.self) {
            try LoadResults.merging([try generator(1), try generator(2, later: later)])
        }
        #expect(error?.index == 1)
        #expect(
            error?.reason == "it started \(durationText(length)) \(word) the first one, "
                + "when that one was not running")
    }
}

@Test func aLoadTestCountsOnlyOnce() throws {
    let (one, other) = (try generator(1), try generator(2, later: 5))
    let merged = try LoadResults.merging([one, other])
    for files in [[one, one], [one, other, merged]] {
        let error = #expect(throws: LoadResults.MergeError.self) {
            try LoadResults.merging(files)
        }
        #expect(error?.index == files.count - 1)
        #expect(error?.reason == "an earlier file contains the same load test")
    }
}

// MARK: Shards

/// Results of a shard that started this many nanoseconds after the first.
private func shard(
    _ indices: Int..., of count: Int = 3, run: UInt32 = 7, later: Int64 = 0
) throws -> LoadResults {
    var results = try part(UInt64(indices[0] + 1))
    results.shards = LoadResults.Shards(
        count: count, indices: indices, run: run, source: "Open MPI")
    results.measuredFrom = 1_700_000_000_000_000_000 + later
    results.judge([try Threshold("p99(say) < 10ms")])
    return results
}

@Test func aShardAloneIsNotJudged() throws {
    let alone = try shard(1)
    #expect(alone.verdict == .inconclusive)
    #expect(alone.thresholds.map(\.verdict) == [.inconclusive])
    #expect(alone.reasons.count == 1)
    #expect(alone.reasons[0].hasPrefix("this is only shard 1/3"))
}

@Test func allShardsTogetherAreJudged() throws {
    let merged = try LoadResults.merging([try shard(2), try shard(0), try shard(1)])
    #expect(merged.verdict == .passed)
    #expect(merged.reasons == [])
    #expect(merged.thresholds.map(\.verdict) == [.passed])
    #expect(merged.shards?.indices == [0, 1, 2])
    #expect(merged.shards?.source == "Open MPI")
    // Merged results can be merged with later ones.
    let half = try LoadResults.merging([try shard(2), try shard(0)])
    #expect(try LoadResults.merging([half, try shard(1)]).verdict == .passed)
}

@Test func aShardThatIsMissingIsNamed() throws {
    let merged = try LoadResults.merging([try shard(2, of: 4), try shard(0, of: 4)])
    #expect(merged.verdict == .inconclusive)
    #expect(merged.reasons == ["shards 1/4, 3/4 are missing"])
    let nearly = try LoadResults.merging([merged, try shard(3, of: 4)])
    #expect(nearly.reasons == ["shard 1/4 is missing"])
    let few = try LoadResults.merging([try shard(0, of: 9_999), try shard(1, of: 9_999)])
    #expect(few.reasons[0].hasSuffix("10/9999, 11/9999 and 9987 more are missing"))
}

@Test func aViolationIsOneWhateverIsMissing() throws {
    var broken = try shard(0)
    broken.ledger.violations["lost"] = 1
    #expect(try LoadResults.merging([broken, try shard(1)]).verdict == .failed)
}

@Test(
    arguments: [
        ("shard 1/3 occurs twice", 1, 3, 7), ("it is a shard of a different load test", 2, 4, 7),
        ("it is a shard of a different load test", 2, 3, 8),
        ("only one of the files is a shard of a load test", -1, 0, 0),
    ] as [(String, Int, Int, UInt32)])
func aShardThatDoesNotBelongIsRefused(reason: String, index: Int, count: Int, run: UInt32) throws {
    let other = index < 0 ? try part(9) : try shard(index, of: count, run: run)
    let error = #expect(throws: LoadResults.MergeError.self) {
        try LoadResults.merging([try shard(0), try shard(1), other])
    }
    #expect(error?.reason == reason)
    #expect(error?.index == 2)
}

@Test(arguments: [1, -1] as [Int64])
func secondsAreThoseOfTheClock(sign: Int64) throws {
    // Seconds 1 and 5 of one shard, and 0 and 5 of another that started a second later or earlier.
    let merged = try LoadResults.merging([
        try shard(0), try shard(1, later: sign * 900_000_000),
    ])
    #expect(merged.seconds.map(\.second) == (sign > 0 ? [1, 5, 6] : [0, 2, 5, 6]))
    #expect(merged.seconds.map(\.sent).reduce(0, +) == 8_000)
    #expect(merged.measuredFrom == 1_700_000_000_000_000_000 + min(sign, 0) * 900_000_000)
}

@Test func shardsThatBeganFarApartDidNotLoadTheServerTogether() throws {
    let merged = try LoadResults.merging([
        try shard(0), try shard(1), try shard(2, later: 5_000_000_000),
    ])
    #expect(merged.verdict == .inconclusive)
    #expect(merged.reasons.first == "shards started 5 s apart")
    #expect(merged.seconds.map(\.second) == [0, 1, 5])
}

// MARK: Verdicts

private func guests(returns: UInt64, failed: UInt64) -> MisbehavingOperators {
    MisbehavingOperators(
        name: "guests", behaviour: "reconnecting by reset", operators: 5, ready: 5, failed: 0,
        disconnected: 0, refused: 0, sent: 0, arrived: 0, bytesReceived: 0, departures: 20,
        returns: returns, returnsFailed: failed, latencies: [], evidence: [])
}

@Test func operatorsThatCannotReconnectFailALoad() throws {
    var results = try part(1)
    results.behaviours = [guests(returns: 0, failed: 20)]
    results.judge([])
    #expect(results.verdict == .failed)
    #expect(results.reasons == ["no operator of guests could reconnect"])
    results.behaviours = [guests(returns: 18, failed: 20)]
    results.judge([])
    #expect(results.verdict == .passed)
    results.judge([try Threshold("reconnects >= 95%")])
    #expect(results.verdict == .failed && results.thresholds[0].value == 90)
    results.judge([try Threshold("reconnects >= 90%")])
    #expect(results.verdict == .passed)
}

@Test func rateIsTheShareOfScheduledMessages() throws {
    var results = try part(1, count: 1_900)
    results.generator.limits = []
    results.judge([try Threshold("rate >= 99%")])
    #expect(results.thresholds[0].value == 100)
    results.traffic.unsent = 100
    results.judge([try Threshold("rate >= 99%")])
    #expect(results.thresholds[0].value == 95 && results.verdict == .failed)
}

@Test func lostMessagesExceedABudget() throws {
    let budget = try LoadBudget("errors < 1%")
    var results = try part(1)
    results.traffic.delivered = 991
    results.ledger.violations = [Violation.Kind.lost.rawValue: 9]
    #expect(!budget.isExceeded(by: results))
    results.ledger.violations = [Violation.Kind.lost.rawValue: 10]
    results.traffic.delivered = 990
    #expect(budget.isExceeded(by: results))
    #expect(try !LoadBudget("cpu < 1%").isExceeded(by: results))
    results.fail(exceeding: budget.text, isEarly: false)
    #expect(results.reasons == ["exceeded the budget errors < 1%"])
}

@Test func loadFailsIfItsServerHasEnded() throws {
    var results = try part(1)
    results.noteEnd(ofServer: "exited with 1")
    #expect(results.verdict == .failed && results.interruption == "aborted")
    #expect(results.reasons == ["the server exited with 1"])
}

@Test func interruptedLoadIsInconclusive() throws {
    var results = try part(1)
    results.noteInterruption()
    #expect(results.verdict == .inconclusive)
    #expect(results.reasons == ["the load test was interrupted"])
}
