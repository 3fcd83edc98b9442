import ChatModel
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session
import Synchronization
import Testing
import Transport

@testable import Runner

@Suite(.timeLimit(.minutes(5)))
struct ScenarioRunnerTests {
    static let five = (1...5).map { scenario("\($0).chat") }

    private func events(
        _ hears: @escaping @Sendable (RunEvent) -> Void
    ) throws -> Multicast<RunEvent> {
        let events = Multicast<RunEvent> { Issue.record("\($0)") }
        try events.add(Listener(named: "test", on: .pool, handler: hears))
        return events
    }

    @Test func resultsAreReportedInPlannedOrder() async throws {
        // The first scenario ends only after all others.
        let (others, continuation) = AsyncStream<Void>.makeStream()
        let executor = FakeExecutor { path, _ in
            if path == "1.chat" {
                var count = 0
                for await _ in others {
                    count += 1
                    if count == 4 { break }
                }
            }
            return .passed
        }
        let reported = Mutex<[String]>([])
        let ended = Mutex<[String]>([])
        let runner = ScenarioRunner(try options { $0.jobs = 2 }, executor: executor)
        let events = try events { event in
            switch event {
            case .ended(let result):
                ended.withLock { $0.append(result.path) }
                if result.path != "1.chat" { continuation.yield() }
            case .settled(let result): reported.withLock { $0.append(result.path) }
            case .began, .finished: break
            }
        }
        let results = await runner.run(Self.five, reportingTo: events)
        await events.finishAndWait()
        let inOrder = ["1.chat", "2.chat", "3.chat", "4.chat", "5.chat"]
        #expect(reported.withLock { $0 } == inOrder)
        #expect(results.scenarios.map(\.path) == inOrder)
        #expect(ended.withLock { $0.last } == "1.chat")
        #expect(results.exitCode == .ok)
        #expect(results.counts[.passed] == 5)
    }

    @Test func passAfterAFailureIsFlaky() async throws {
        let executor = FakeExecutor { _, attempt in attempt < 3 ? .failed : .passed }
        let runner = ScenarioRunner(try options { $0.retries = 2 }, executor: executor)
        let result = try #require(await runner.run([scenario("x.chat")]).scenarios.first)
        #expect(result.verdict == .flaky)
        #expect(result.attempts == 3)
        #expect(result.reason == "passed on attempt 3, after: attempt 1 failed")
        #expect(Set(executor.executions.map(\.seed)).count == 3)
    }

    @Test func retriesAreLimited() async throws {
        let executor = FakeExecutor { _, _ in .failed }
        let runner = ScenarioRunner(try options { $0.retries = 2 }, executor: executor)
        let results = await runner.run([scenario("x.chat")])
        #expect(results.scenarios.first?.verdict == .failed)
        #expect(executor.executions.count == 3)
        #expect(results.exitCode == .failed)
    }

    @Test func failFastStartsNothingMore() async throws {
        let executor = FakeExecutor { path, _ in path == "2.chat" ? .failed : .passed }
        let runner = ScenarioRunner(try options { $0.isFailFast = true }, executor: executor)
        let results = await runner.run(Self.five)
        let verdicts: [Verdict] = [.passed, .failed, .skipped, .skipped, .skipped]
        #expect(results.scenarios.map(\.verdict) == verdicts)
        #expect(results.scenarios.last?.reason == "not run after the first failure")
        #expect(results.interruption == .failFast)
        #expect(results.exitCode == .failed)
    }

    @Test func shufflingIsReproducible() async throws {
        func order(_ seed: UInt64) async throws -> [String] {
            let executor = FakeExecutor { _, _ in .passed }
            let runner = ScenarioRunner(try options { $0.shuffleSeed = seed }, executor: executor)
            let results = await runner.run(Self.five)
            #expect(results.scenarios.map(\.path) == Self.five.map(\.path))
            return executor.executions.map(\.path)
        }
        let first = try await order(7)
        #expect(first.sorted() == Self.five.map(\.path))
        #expect(first != Self.five.map(\.path))
        #expect(try await order(7) == first)
        #expect(try await order(8) != first)
    }

    @Test func eachScenarioRunsWithEachSegmentation() async throws {
        let executor = FakeExecutor { _, _ in .passed }
        let axis: [Segmentation] = [.whole, .byte, .random(seed: 3)]
        let runner = ScenarioRunner(try options { $0.segmentations = axis }, executor: executor)
        let results = await runner.run([
            scenario("1.chat"), scenario("bad.chat", "nonsense"), scenario("2.chat"),
        ])
        #expect(
            results.scenarios.map(\.path) == Array(repeating: "1.chat", count: 3) + ["bad.chat"]
                + Array(repeating: "2.chat", count: 3))
        #expect(results.scenarios.prefix(3).map(\.segmentation) == axis)
        #expect(executor.executions.map(\.segmentation) == axis + axis)
        #expect(Set(executor.executions.map(\.seed)).count == 6)
    }

    @Test(arguments: [
        ("", ScenarioOutcome.Outcome.failed, Verdict.failed),
        ("", .passed, .passed),
        (#"known failure on other "R""#, .failed, .failed),
        (#"known failure on soft "R""#, .failed, .knownFailure),
        (#"known failure on soft <2 "R""#, .failed, .failed),
        (#"known failure on soft >=2 "R""#, .failed, .knownFailure),
        (#"known failure on soft "R""#, .passed, .failed),
        (#"known failure on soft "R""#, .inconclusive, .inconclusive),
        (#"known failure on soft until 2026-05-31 "R""#, .failed, .knownFailure),
        (#"known failure on soft until 2026-05-30 "R""#, .failed, .failed),
        (#"known failure on soft until 2026-05-30 "R""#, .passed, .failed),
        (#"skip on soft "R""#, .failed, .skipped),
        (#"skip on soft <2 "R""#, .failed, .failed),
    ])
    func knownFailuresAndSkips(
        header: String, outcome: ScenarioOutcome.Outcome, verdict: Verdict
    ) async throws {
        let executor = FakeExecutor { _, _ in outcome }
        let runner = ScenarioRunner(
            try options {
                $0.software = Software(name: "soft", version: "2.1")
                $0.today = CalendarDate(year: 2026, month: 5, day: 31)
            }, executor: executor)
        let loaded = scenario("x.chat", header)
        #expect(loaded.program != nil)
        let result = try #require(await runner.run([loaded]).scenarios.first)
        #expect(result.verdict == verdict)
        #expect(executor.executions.isEmpty == (verdict == .skipped))
        if verdict == .skipped || verdict == .knownFailure { #expect(result.reason == "R") }
        if outcome == .passed, verdict == .failed {
            #expect(result.reason == "known failure now passes: remove the `known failure` line")
            #expect(result.diagnostics.last?.location?.position.line == 2)
        }
    }

    @Test func knownFailureIsNotRetried() async throws {
        let executor = FakeExecutor { _, attempt in attempt == 1 ? .failed : .passed }
        let runner = ScenarioRunner(
            try options {
                $0.retries = 3
                $0.software = Software(name: "soft")
            }, executor: executor)
        let results = await runner.run([scenario("x.chat", #"known failure on soft "R""#)])
        #expect(results.scenarios.first?.verdict == .knownFailure)
        #expect(executor.executions.count == 1)
    }

    @Test func interruptionLeavesTheRestInconclusive() async throws {
        let (began, continuation) = AsyncStream<Void>.makeStream()
        let executor = FakeExecutor { path, _ in
            if path == "1.chat" { return .passed }
            continuation.yield()
            try? await Task.sleep(for: .seconds(3600))
            return .inconclusive
        }
        let reported = Mutex<[String]>([])
        let runner = ScenarioRunner(try options(), executor: executor)
        let events = try events { event in
            if case .settled(let result) = event { reported.withLock { $0.append(result.path) } }
        }
        let task = Task { await runner.run(Self.five, reportingTo: events) }
        for await _ in began { break }
        task.cancel()
        let results = await task.value
        await events.finishAndWait()
        let undecided = Array(repeating: Verdict.inconclusive, count: 4)
        #expect(results.scenarios.map(\.verdict) == [.passed] + undecided)
        #expect(results.scenarios.last?.reason == "interrupted before it started")
        #expect(results.exitCode == .interrupted)
        #expect(reported.withLock { $0 } == Self.five.map(\.path))
    }

    @Test func unreachableServerIsUnavailable() async throws {
        let executor = FakeExecutor { _, _ in .inconclusive }
        let results = await ScenarioRunner(try options(), executor: executor).run(Self.five)
        #expect(!results.scenarios.contains { !$0.isUnreachable })
        #expect(results.exitCode == .unavailable)
    }

    @Test func missingServerIsExplained() async throws {
        let executor = FakeExecutor { _, _ in .passed }
        let runner = ScenarioRunner(try options { $0.endpoint = nil }, executor: executor)
        let result = try #require(await runner.run([scenario("x.chat")]).scenarios.first)
        #expect(result.verdict == .inconclusive)
        #expect(result.reason == "no server to test")
    }

    @Test func portDefaultsToTheDialect() async throws {
        let executor = FakeExecutor { _, _ in .passed }
        let endpoint = try Endpoint(parsing: "irc.example")
        let runner = ScenarioRunner(try options { $0.endpoint = endpoint }, executor: executor)
        let loader = ScenarioLoader()
        let loaded = loader.load(SourceText(path: "x.chat", text: "dialect irc\na -> PING x\n"))
        _ = await runner.run([loaded])
        #expect(executor.executions.first?.endpoint == "irc.example:6667")
    }

    @Test func failedServerStartLeavesEverythingUndecided() async throws {
        let executor = FakeExecutor { _, _ in .passed }
        let runner = ScenarioRunner(
            try options {
                $0.endpoint = nil
                $0.command = ServerCommand("no-such-program-at-all {{port}}")
            }, executor: executor)
        let results = await runner.run([scenario("x.chat"), scenario("bad.chat", "nonsense")])
        #expect(results.scenarios.map(\.verdict) == [.inconclusive, .error])
        #expect(results.scenarios.first?.reason == "program not found: `no-such-program-at-all`")
        #expect(results.diagnostics.first?.code == .serverNotStarted)
        #expect(executor.executions.isEmpty)
    }
}
