import LineProtocol
import Results
import Testing

@testable import Load

@Test func aHistogramIsReadAsItWasEncoded() throws {
    var histogram = LatencyHistogram()
    var random = SeededRandom(seed: 4)
    for _ in 0..<20_000 { histogram.record(Int64(random.nextExponential() * 3e6)) }
    for value: Int64 in [0, 1, 2_047, 2_048, 4_095, 4_096, 3_599_999_999_999] {
        histogram.record(value)
    }
    let decoded = try HistogramCodec.decode(HistogramCodec.encoded(histogram))
    #expect(decoded.values.map(\.value) == histogram.values.map(\.value))
    #expect(decoded.values.map(\.count) == histogram.values.map(\.count))
}

@Test(arguments: [0, 1, 39, 40, 41])
func aHistogramThatIsCutIsRefusedOrShorter(count: Int) throws {
    var histogram = LatencyHistogram()
    histogram.record(1_000_000)
    let cut = Array(HistogramCodec.encoded(histogram).prefix(count))
    if count < 40 {
        #expect(throws: HistogramCodec.Malformed.self) { try HistogramCodec.decode(cut) }
    } else {
        #expect(((try? HistogramCodec.decode(cut))?.count ?? 0) == 0)
    }
}

@Test(arguments: [
    "p99(say) < 50ms", "p99.9(say.last)<=1s", "mean(probe) > 10us", "max(relay) < 1.5s",
    "lost == 0", "duplicate <= 3", "rate >= 99%", "operators == 100%", "median(login) < 1m",
    "disconnected == 0", "disconnected(*) == 0", "disconnected(slow) <= 3", "schema == 0",
    "cut == 0", "cut(slow) <= 3",
])
func aThresholdIsUnderstood(text: String) throws {
    #expect(try Threshold(text).text == text)
}

@Test(arguments: [
    "p99(say)", "p0(say) < 1ms", "p101(say) < 1ms", "p99(shout) < 1ms", "lost < many",
    "rate >= 99", "p99(say) < 5", "loss == 0", "", "< 5ms",
])
func whatIsNoThresholdSaysWhy(text: String) {
    #expect(throws: Threshold.Malformed.self) { try Threshold(text) }
}

@Test(arguments: [
    ("disconnected", Threshold.Quantity.violations(.disconnected)),
    ("disconnected(*)", .disconnected(nil)), ("cut", .disconnected(nil)),
    ("disconnected(slow)", .disconnected("slow")), ("cut(slow)", .disconnected("slow")),
])
func disconnectedOperatorsAreCountedByKind(text: String, quantity: Threshold.Quantity) throws {
    #expect(try Threshold("\(text) == 0").quantity == quantity)
}

@Test func aThresholdIsComparedInItsUnit() throws {
    #expect(try Threshold("p99(say) < 50ms").limit == 50_000_000)
    #expect(try Threshold("max(say) < 2m").limit == 120_000_000_000)
    #expect(try Threshold("rate >= 99.5%").limit == 99.5)
    #expect(try Threshold("lost <= 3").comparison == .lessOrEqual)
}

private func description(_ thresholds: [String] = []) throws -> LoadDescription {
    LoadDescription(
        toolVersion: "test", startedAt: 1_700_000_000, server: "tcp://127.0.0.1:7070",
        plan: try livechatPlan(.say), options: FleetOptions(duration: 2_000_000_000),
        thresholds: try thresholds.map { try Threshold($0) })
}

/// A report of two seconds without errors.
private func report() -> WorkerReport {
    var report = WorkerReport()
    report.measured = 2_000_000_000
    report.counts.sent = 1_000
    report.counts.ready = 12
    for number in 1...1_000 {
        report.recorder.record(
            .say, intended: 0, sent: 0, over: Int64(number) * 10_000)
        report.lateness.record(50_000)
    }
    return report
}

@Test func allBeingWellTheVerdictIsPassed() throws {
    let results = LoadResults(
        try description(["p99(say) < 10ms", "lost == 0", "rate >= 99%"]), report(), seconds: [])
    #expect(results.verdict == .passed)
    #expect(results.reasons.isEmpty)
    #expect(results.thresholds.map(\.verdict) == [.passed, .passed, .passed])
}

@Test func aThresholdThatIsNotKeptFailsTheLoad() throws {
    let results = LoadResults(try description(["p99(say) < 9ms"]), report(), seconds: [])
    #expect(results.verdict == .failed)
    #expect(results.reasons == ["threshold failed: p99(say) < 9ms"])
}

@Test(arguments: Violation.Kind.allCases)
func anyViolationFailsTheLoadUnlessAThresholdAllowsIt(kind: Violation.Kind) throws {
    var report = report()
    report.violations.count(kind, 2)
    let strict = LoadResults(try description(), report, seconds: [])
    #expect(strict.verdict == .failed)
    #expect(strict.reasons == ["2 \(kind.rawValue)"])
    let lenient = LoadResults(
        try description(["\(kind.rawValue) <= 2"]), report, seconds: [])
    #expect(lenient.verdict == .passed)
}

@Test func aGeneratorThatWasTheLimitDecidesNothing() throws {
    var report = report()
    for _ in 0..<100 { report.lateness.record(80_000_000) }
    let results = LoadResults(try description(["p99(say) < 9ms"]), report, seconds: [])
    #expect(results.verdict == .inconclusive)
    #expect(results.thresholds.map(\.verdict) == [.inconclusive])
    #expect(results.generator.limits.count == 1)
}

@Test func whatTheServerDidWrongIsWrongHoweverLateTheGeneratorWas() throws {
    var report = report()
    for _ in 0..<100 { report.lateness.record(80_000_000) }
    report.violations.count(.lost, 1)
    #expect(LoadResults(try description(), report, seconds: []).verdict == .failed)
}

@Test func aRateThatWasNotReachedDecidesNothing() throws {
    var report = report()
    report.counts.sent = 700
    let results = LoadResults(try description(), report, seconds: [])
    #expect(results.verdict == .inconclusive)
    #expect(results.ratePercent == 70)
}

@Test func nothingSentIsNoSuccess() throws {
    var report = report()
    report.counts.sent = 0
    #expect(LoadResults(try description(), report, seconds: []).verdict == .inconclusive)
}

@Test func operatorsThatAreNotLetInFailTheLoad() throws {
    var report = report()
    report.counts.ready = 10
    report.counts.failed = 2
    #expect(LoadResults(try description(), report, seconds: []).verdict == .failed)
    report.counts.unconnected = 2
    report.counts.unconnectedHere = 2
    #expect(LoadResults(try description(), report, seconds: []).verdict == .inconclusive)
}
