import Foundation
import LineProtocol
import Report
import Testing

@testable import Results

/// Load tests whose true latencies are known, for tests of comparisons.
private struct SimulatedLoads {
    private var random: SeededRandom
    /// Standard deviation of the logarithm of a load test's latencies.
    var noise: Double
    /// Growth of the latencies from one load test to the next, as a logarithm.
    var drift = 0.0
    /// Probability that other processes triple the latencies of a load test.
    var bursts = 0.0

    init(seed: UInt64, noise: Double) {
        random = SeededRandom(seed: seed)
        self.noise = noise
    }

    /// Load tests of two servers in turn; the second one is slower by this factor.
    mutating func pair(_ count: Int, slowness: Double = 1) -> RepeatedLoad {
        var loads = RepeatedLoad(toolVersion: "1", sides: [.init(name: "a"), .init(name: "b")])
        for (index, side) in RepeatedLoad.order(repeats: count, servers: 2).enumerated() {
            let factor = side == 1 ? slowness : 1
            loads.sides[side].loads.append(load(factor, at: index))
        }
        return loads
    }

    /// Load tests of two servers in turn, from a new seed.
    static func pair(
        seed: UInt64, noise: Double, _ count: Int, slowness: Double = 1
    ) -> RepeatedLoad {
        var loads = SimulatedLoads(seed: seed, noise: noise)
        return loads.pair(count, slowness: slowness)
    }

    private mutating func load(_ slowness: Double, at index: Int) -> LoadResults {
        var factor = slowness * exp(noise * nextNormal() + drift * Double(index))
        if random.nextFraction() < bursts { factor *= 3 }
        var times = LatencyHistogram()
        for number in 0..<400 {
            let share = (Double(number) + 0.5) / 400
            times.record(Int64(-log(1 - share) * 1e6 * factor))
        }
        var results = Self.empty
        results.latencies = [
            LoadResults.Latency(metric: LatencyMetric.relay.name, response: .init(times))
        ]
        return results
    }

    private static let empty: LoadResults = {
        var results = LoadSample.fine
        results.seconds = []
        return results
    }()

    /// A normally distributed number (Box–Muller).
    private mutating func nextNormal() -> Double {
        (-2 * log(1 - random.nextFraction())).squareRoot()
            * cos(2 * .pi * random.nextFraction())
    }
}

struct RepeatedComparisonTests {
    private static let draws = 40

    /// Counts the comparisons with a verdict, out of ``draws``.
    private func count(
        _ verdict: Verdict, noise: Double, slowness: Double = 1, repeats: Int = 5,
        drift: Double = 0, bursts: Double = 0, seed: UInt64 = 1
    ) async throws -> Int {
        var loads = SimulatedLoads(seed: seed, noise: noise)
        (loads.drift, loads.bursts) = (drift, bursts)
        var count = 0
        for _ in 0..<Self.draws {
            if try loads.pair(repeats, slowness: slowness).comparison()?.verdict == verdict {
                count += 1
            }
            // Other tests wait for servers meanwhile.
            await Task.yield()
        }
        return count
    }

    @Test(arguments: [0.01, 0.1, 0.4])
    func theSameServerIsRarelyWorse(_ noise: Double) async throws {
        // All intervals hold in 95% of the comparisons, so about 2.5% should be worse: 1 of 40.
        #expect(try await count(.failed, noise: noise) <= 4)
    }

    @Test func burstsOfOtherWorkDoNotMakeTheSameServerWorse() async throws {
        #expect(try await count(.failed, noise: 0.05, bursts: 0.2, seed: 2) <= 4)
    }

    @Test func aServerThatIsAFifthSlowerIsFound() async throws {
        #expect(try await count(.failed, noise: 0.03, slowness: 1.2, seed: 3) >= 38)
        #expect(try await count(.failed, noise: 0.06, slowness: 1.2, repeats: 10, seed: 4) >= 38)
    }

    @Test func aSteadyDriftOfTheMachineIsCancelled() async throws {
        // From the first to the last load test, latencies grow by a factor of 2.5.
        let drift = 0.1
        #expect(try await count(.failed, noise: 0.03, drift: drift, seed: 5) <= 4)
        #expect(
            try await count(
                .failed, noise: 0.03, slowness: 1.3, repeats: 10, drift: drift / 2, seed: 6)
                >= 38)
    }

    @Test func groupsThatDidNotRunInTurnAreComparedWithoutPairs() throws {
        var loads = SimulatedLoads(seed: 7, noise: 0.03)
        let slow = loads.pair(5, slowness: 1.5)
        let groups = slow.groups
        let paired = try Comparison.of(
            groups[0], groups[1], isPaired: true, tolerance: 0.05, confidence: 0.95)
        var fewer = groups[1]
        fewer.loads.removeLast(4)
        let other = try Comparison.of(groups[0], fewer, tolerance: 0.05, confidence: 0.95)
        #expect(paired.verdict == .failed)
        #expect(other.verdict == .failed)
        #expect(other.abouts.0.hasPrefix("5 load tests"))
    }

    @Test func theValuesAreMediansAndTheChangeIsTheAverageRatio() throws {
        var loads = SimulatedLoads(seed: 8, noise: 0)
        let comparison = try #require(try loads.pair(3, slowness: 1.2).comparison())
        let figure = try #require(comparison.figures.first { $0.name == "p50" })
        #expect(abs((figure.change ?? 0) - 0.2) < 0.01)
        #expect(abs((figure.values[0] ?? 0) - 693_000) < 7_000)
        #expect(comparison.notes.contains { $0.hasPrefix("smallest change that these load tests") })
        #expect(
            comparison.notes.contains(
                "values are medians; changes are averages of the changes within pairs"))
    }

    @Test func aComparisonThatCanOnlyDetectLargeChangesSaysSo() throws {
        var quiet = SimulatedLoads(seed: 8, noise: 0.001)
        var noisy = SimulatedLoads(seed: 8, noise: 0.3)
        let precise = try #require(try quiet.pair(6, slowness: 1).comparison())
        let rough = try #require(try noisy.pair(3, slowness: 1).comparison())
        #expect((precise.detectableChange ?? 1) < 0.05)
        #expect((rough.detectableChange ?? 0) > 0.3)
        #expect(!ComparisonText().text(precise).contains("significantly"))
        #expect(
            ComparisonText().text(rough).contains(
                "NOT WORSE: no metric is significantly worse by more than"))
    }

    @Test func aLoadTestWhoseProcessorTimeIsUnknownDoesNotCount() throws {
        var loads = SimulatedLoads.pair(seed: 12, noise: 0.01, 6)
        func process(_ cores: Double, from start: Int64 = 0) -> ObservedProcess {
            let samples = [start, start + 1_100_000_000].map {
                ObservedProcess.Sample(timeNanoseconds: $0, cores: cores)
            }
            return ObservedProcess(role: "server", pid: 1, program: "chat", samples: samples)
        }
        for side in 0...1 {
            for index in 0..<6 {
                let cores = 0.1 + 0.02 * Double(side) + 0.001 * Double(index % 3)
                loads.sides[side].loads[index].processes = [process(cores)]
            }
        }
        // The first sample was taken too long before the messages, so that it is unknown how much
        // of the time was used for them.
        loads.sides[0].loads[3].processes = [process(0, from: -500_000_000)]
        #expect(loads.sides[0].loads[3].serverTimePerMessage == nil)
        let comparison = try #require(try loads.comparison())
        let figure = try #require(comparison.figures.first { $0.name == "CPU per message" })
        #expect(figure.finding == .worse && abs((figure.change ?? 0) - 0.2) < 0.02)
        #expect(comparison.notes.contains { $0.contains("% in server CPU per message") })
        for index in 0..<3 { loads.sides[1].loads[index].processes = nil }
        let other = try #require(try loads.comparison())
        #expect(!other.figures.contains { $0.name == "CPU per message" })
    }

    @Test func aLimitOfTheGeneratorInOneLoadTestIsANoteAndInMostADoubt() throws {
        var loads = SimulatedLoads.pair(seed: 9, noise: 0.01, 3)
        loads.sides[1].loads[0].generator.limits = ["1% of sends were late"]
        let one = try #require(try loads.comparison())
        #expect(one.verdict == .passed)
        #expect(one.notes.contains("b: in 1 of 3 load tests: 1% of sends were late"))
        loads.sides[1].loads[1].generator.limits = ["1% of sends were late"]
        #expect(try loads.comparison()?.verdict == .inconclusive)
    }

    @Test func lostMessagesAreWorseIfThereWereNoneOrManyFewer() throws {
        func verdict(_ before: UInt64, _ after: UInt64) throws -> Verdict? {
            var loads = SimulatedLoads.pair(seed: 10, noise: 0.01, 3)
            loads.sides[0].loads[0].ledger.violations = ["lost": before]
            loads.sides[1].loads[2].ledger.violations = ["lost": after]
            return try loads.comparison()?.verdict
        }
        #expect(try verdict(0, 1) == .failed)
        #expect(try verdict(10, 12) == .passed)
        #expect(try verdict(10, 60) == .failed)
        #expect(try verdict(2_000, 2_030) == .passed)
        #expect(try verdict(2_000, 2_400) == .failed)
    }

    @Test func everyFormatShowsTheSameVerdict() throws {
        for (slowness, verdict) in [(1.0, Verdict.passed), (2.0, .failed)] {
            let loads = SimulatedLoads.pair(seed: 11, noise: 0.01, 4, slowness: slowness)
            let comparison = try #require(try loads.comparison())
            #expect(comparison.verdict == verdict)
            let word = verdict == .failed ? "worse" : "not worse"
            let text = try RepeatedLoadReportFormat.pretty.text(loads)
            #expect(text.contains("\n\(word.uppercased()): "))
            let markdown = try RepeatedLoadReportFormat.markdown.text(loads)
            #expect(markdown.contains("linejudge compare: \(word)\n"))
            let page = try RepeatedLoadReportFormat.html.text(loads)
            #expect(page.contains(word.prefix(1).uppercased() + word.dropFirst() + ": "))
            #expect(page.contains("relay p50 of each load test"))
            let compared = ComparedResults(groups: loads.groups, comparisons: [comparison])
            let json = try JSONDecoder().decode(
                ComparisonRecord.self, from: Data(CompareReportFormat.json.text(compared).utf8))
            #expect(json.comparisons.map(\.verdict) == [verdict])
            let saved = try AnyResults(Array(RepeatedLoadReportFormat.json.text(loads).utf8))
            guard case .repeatedLoad(let read) = saved else {
                Issue.record("another kind")
                return
            }
            #expect(read == loads)
        }
    }

    @Test(arguments: [(0, 1), (2, 1), (0, 2), (2, 2)])
    func anInterruptionIsShownAndNoFiguresAreInvented(count: Int, servers: Int) throws {
        var loads = SimulatedLoads.pair(seed: 13, noise: 0.1, 2)
        loads.interruption = "interrupted"
        loads.sides.removeLast(2 - servers)
        if count == 0 { for index in loads.sides.indices { loads.sides[index].loads = [] } }
        let noun = servers > 1 ? "pair of load tests" : "load test"
        let words =
            "nterrupted: "
            + (count == 0 ? "no \(noun) was complete" : "the last \(noun) is left out")
        for format in [RepeatedLoadReportFormat.pretty, .markdown, .html] {
            let text = try format.text(loads)
            #expect(text.contains(words), "\(text)")
            #expect(text.contains("p50") == (count > 0), "\(text)")
        }
    }

    @Test func oneServersLoadTestsAreShownAsATable() throws {
        var loads = SimulatedLoads.pair(seed: 12, noise: 0.1, 4)
        loads.sides.removeLast()
        let text = try RepeatedLoadReportFormat.pretty.text(loads)
        #expect(text.contains("4 load tests of a"))
        #expect(text.contains("median"))
        #expect(try RepeatedLoadReportFormat.markdown.text(loads).contains("| relay p50 |"))
        #expect(try RepeatedLoadReportFormat.html.text(loads).contains("A 4"))
    }

    @Test func serversTakeTurnsInPairs() {
        #expect(RepeatedLoad.order(repeats: 3, servers: 2) == [0, 1, 1, 0, 0, 1])
        #expect(RepeatedLoad.order(repeats: 2, servers: 1) == [0, 0])
        var loads = SimulatedLoads.pair(seed: 1, noise: 0, 3)
        loads.sides[1].loads.removeLast()
        loads.keepPairs()
        #expect(loads.sides.map(\.loads.count) == [2, 2])
        #expect(loads.exitCode == .ok)
        loads.sides[1].loads[1].verdict = .failed
        #expect(loads.exitCode == .failed)
    }

    @Test(arguments: [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042)])
    func quantilesOfTheTDistributionAreThoseOfTheTables(_ freedom: Int, _ t: Double) {
        #expect(abs(StudentT.quantile(confidence: 0.95, freedom: freedom) - t) < 0.001)
    }
}

/// Comparisons of two single load tests on a busy machine.
struct BusyMachineTests {
    private func compared(_ share: Double?, _ slowness: Double = 1.5) throws -> Comparison {
        var second = LoadSample.results(slowness: slowness, seed: 2)
        second.machine = share.map {
            .init(processors: 2, busyCores: 1, otherCores: $0 * 2)
        }
        return try .of(
            LoadSample.fine, second, names: ("a.json", "b.json"), tolerance: 0.05,
            confidence: 0.95, draws: 100)
    }

    @Test func aDifferenceThatOtherProcessesCanCauseIsInconclusive() throws {
        let comparison = try compared(0.5)
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.noiseDoubts.contains("b.json: other processes used 1.0 of 2 cores"))
        #expect(comparison.figures.contains { $0.finding == .unsure })
        let text = ComparisonText().text(comparison)
        #expect(
            text.contains(
                "INCONCLUSIVE: differences may come from the machine instead of the server"))
        #expect(ComparisonMarkdown.text(comparison).contains("other processes used 1.0 of 2 cores"))
    }

    @Test func aLargerDifferenceIsWorseAllTheSame() throws {
        #expect(try compared(0.5, 12).verdict == .failed)
    }

    @Test func onAnIdleMachineTheSameDifferenceIsWorse() throws {
        #expect(try compared(0.01).verdict == .failed)
        #expect(try compared(nil).verdict == .failed)
    }

    @Test func loadTestsThatAreTooShortDecideNothing() throws {
        var (first, second) = (LoadSample.fine, LoadSample.results(slowness: 1.5, seed: 2))
        first.seconds = Array(first.seconds.prefix(3))
        second.seconds = Array(second.seconds.prefix(3))
        let comparison = try Comparison.of(
            first, second, names: ("a.json", "b.json"), tolerance: 0.05, confidence: 0.95)
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.noiseDoubts[0].contains("too short to show how much"))
    }
}
