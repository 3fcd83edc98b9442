import LineProtocol
import Testing

@testable import Load

/// Results of one of several generators.
private func part(_ seed: UInt64, count: Int = 2_000, rate: Double = 1_000) throws -> LoadResults {
    let plan = try livechatPlan(
        .say, model: .open([RateStage(duration: 2_000_000_000, rate: rate)], .constant))
    var report = FleetCore.Report()
    report.measured = 2_000_000_000
    report.counts.sent = UInt64(count)
    report.counts.ready = 12
    report.processorTime = 500_000_000
    var random = SeededRandom(seed: seed)
    var second = FleetWatch.Second()
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
    #expect(merged.asked.operators == 3 * parts[0].asked.operators)
    #expect(merged.asked.ratePerSecond == 3_000)
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

/// What can differ between two loads, and the words for it.
private let mismatches: [String: @Sendable (inout LoadResults) -> Void] = [
    "its dialect is irc": { $0.dialect = "irc" },
    "it is of another plan: other model": { $0.asked.model = "closed" },
    "it is of another plan: other length of texts": { $0.asked.textBytes = 99 },
    "it is of another plan: other mix": { $0.asked.mix = ["relay": 1] },
    "it is of another plan: other measured time": { $0.asked.durationNanoseconds = 1 },
]

@Test(arguments: mismatches.keys.sorted())
func whatDoesNotBelongTogetherIsNotMerged(words: String) throws {
    var other = try part(2)
    mismatches[words]?(&other)
    let error = #expect(throws: LoadResults.Unmergeable.self) {
        try LoadResults.merging([try part(1), other])
    }
    #expect(error?.place == 1)
    #expect(error?.reason.hasPrefix(words) == true, "\(error?.reason ?? "")")
}

@Test func aHistogramThatCountsTooMuchIsRefused() {
    var histogram = LatencyHistogram()
    histogram.record(5, count: 1)
    var bytes = HistogramCodec.encoded(histogram)
    // The greatest number there is in place of the 1.
    bytes.removeLast()
    bytes += [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: HistogramCodec.Malformed.self) { try HistogramCodec.decode(bytes) }
}

@Test func orderStatisticsEncloseTheQuantile() {
    // Of a thousand samples of one distribution, the interval must hold its median nearly always.
    var held = 0
    for seed in 0..<200 {
        var random = SeededRandom(seed: UInt64(seed))
        var histogram = LatencyHistogram()
        for _ in 0..<1_000 { histogram.record(Int64(random.nextExponential() * 1e6)) }
        let interval = Spread(histogram.values).interval(0.5, deviations: 1.96)
        if (interval.low...interval.high).contains(693_147) { held += 1 }
    }
    #expect(held >= 180)
}

@Test func theNormalDistributionIsKnown() {
    #expect(abs(deviations(confidence: 0.95) - 1.959_96) < 0.000_1)
    #expect(abs(deviations(confidence: 0.99) - 2.575_83) < 0.000_1)
}
