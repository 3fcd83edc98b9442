import LineProtocol
import Results
import Scenario
import Session
import Synchronization
import Testing

@testable import Conformance

/// Repeating and shrinking failures: names, waits, and what runs at the same time.
struct ConfirmationTests {
    private let subject: Subject

    init() throws { subject = try EvidenceTable.subject("irc") }

    /// A server that records client names, and answers AWAY after a while, or not at all.
    private final class Server: Sendable {
        /// Time until the answer, in nanoseconds, for each time that a client sends the line; nil
        /// for no answer.
        private let answersAfter: @Sendable (Int) -> Int64?
        /// Number of the login that is refused; 0 for none.
        private let refusedLogin: Int
        private let state = Mutex((names: [String](), count: 0))

        init(refusing login: Int = 0, answersAfter: @escaping @Sendable (Int) -> Int64?) {
            refusedLogin = login
            self.answersAfter = answersAfter
        }

        var names: [String] { state.withLock(\.names) }

        func answer(_ line: String) -> [SimulatedExecutor.Effect] {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "USER":
                let count = state.withLock { state in
                    state.names.append(words[1])
                    return state.names.count
                }
                return [
                    .send(
                        count == refusedLogin
                            ? ":s 433 * \(words[1]) :in use\r\n" : ":s 001 \(words[1]) :hi\r\n")
                ]
            case "PING": return [.send(":s PONG s \(words[1])\r\n")]
            case "AWAY":
                let count = state.withLock { state in
                    state.count += 1
                    return state.count
                }
                return answersAfter(count).map { [.sendLater(":s 306 you :away\r\n", $0)] } ?? []
            default: return []
            }
        }
    }

    /// A check that waits for the answer to AWAY.
    private var check: Check {
        Check(CheckID("test"), "AWAY is answered", setting: "framing", in: subject) { maker in
            var script = maker.script("a line", ["alice", "bob"])
            for handle in ["alice", "bob"] { script.barrier(handle, role: .control) }
            script.send(.stimulus, Array("AWAY :one\r\n".utf8), by: "alice")
            script.step(.question, .expect("alice", .skip, ExpectedPattern.anyLine))
            return [
                script.made(.any) { evidence in
                    let isAnswered = evidence.entries.contains { entry, _ in
                        String(decoding: entry.bytes, as: UTF8.self).hasPrefix(":s 306")
                    }
                    return isAnswered
                        ? .passed : .failed(Finding("silent", expected: "306", got: "nothing"))
                }
            ]
        }
    }

    private func confirmed(
        by server: Server, hurried: Bool = false, overlaps: Bool = false, repetitions: Int = 3
    ) async throws -> (result: CheckResult, executor: CountingExecutor) {
        let executor = CountingExecutor(SimulatedExecutor { server.answer($0) })
        let judge = CaseJudge(subject: subject, executor: executor)
        let testCase = try #require(check.cases(subject, seed: 1).first)
        let outcome = await judge.outcome(of: testCase, check, seed: 1)
        let failure = try #require(Failure(CheckResult(check, .failed), check, outcome))
        let options = CheckOptions(
            seed: 1, repetitions: repetitions, patience: hurried ? 5_000_000_000 : nil)
        let confirmation = Confirmation(
            judge: judge, options: options, isHurried: hurried, overlaps: overlaps)
        return (await confirmation.confirmed(failure), executor)
    }

    @Test(arguments: [false, true], [false, true])
    func everyRunHasItsOwnNames(hurried: Bool, overlaps: Bool) async throws {
        let server = Server { _ in nil }
        let (result, _) = try await confirmed(by: server, hurried: hurried, overlaps: overlaps)
        #expect(result.verdict == .failed)
        #expect(result.rate == FailureRate(runs: 4, failures: 4))
        #expect(server.names.count > 8)
        #expect(Set(server.names).count == server.names.count, "\(server.names)")
    }

    @Test func casesOverlapOnlyIfAsked() async throws {
        let server = Server { _ in nil }
        let (one, alone) = try await confirmed(by: server)
        #expect(alone.most == 1)
        let (other, overlapping) = try await confirmed(by: server, overlaps: true)
        // Three repetitions, and an attempt to shrink the case.
        #expect(overlapping.most == 4)
        #expect(one.scenario == other.scenario)
        #expect(one.rate == other.rate)
    }

    /// A server that answers after seconds meets the requirement, even if hurried repetitions do
    /// not wait for it.
    @Test(arguments: [false, true])
    func theFirstRepetitionWaitsForTheFullTime(overlaps: Bool) async throws {
        let server = Server { $0 == 1 ? nil : 10_000_000_000 }
        let (hurried, _) = try await confirmed(by: server, hurried: true, overlaps: overlaps)
        #expect(hurried.verdict == .flaky)
        #expect(hurried.rate == FailureRate(runs: 4, failures: 1))
        let again = Server { $0 == 1 ? nil : 10_000_000_000 }
        let (patient, _) = try await confirmed(by: again, overlaps: overlaps)
        #expect(patient.verdict == .flaky)
        #expect(patient.rate == FailureRate(runs: 4, failures: 1))
    }

    /// The third login is the first one of the first repetition.
    @Test func anInconclusiveRepetitionIsReplacedByOneThatWaitsAsLong() async throws {
        let server = Server(refusing: 3) { $0 == 1 ? nil : 10_000_000_000 }
        let (result, _) = try await confirmed(by: server, hurried: true)
        #expect(result.verdict == .flaky)
        #expect(result.rate == FailureRate(runs: 4, failures: 1))
    }

    @Test(arguments: [false, true])
    func aFlakyFailureIsNotShrunk(overlaps: Bool) async throws {
        let server = Server { $0 == 1 ? nil : 1_000_000 }
        let (result, _) = try await confirmed(by: server, overlaps: overlaps)
        #expect(result.verdict == .flaky)
        #expect(result.rate == FailureRate(runs: 4, failures: 1))
        #expect(result.scenario?.contains("bob") == true)
    }

    @Test func aFailureThatIsRepeatedOnceIsRepeatedInFullIfItDoesNotRecur() async throws {
        let server = Server { $0 == 1 ? nil : 1_000_000 }
        let executor = SimulatedExecutor { server.answer($0) }
        let judge = CaseJudge(subject: subject, executor: executor)
        let testCase = try #require(check.cases(subject, seed: 1).first)
        let outcome = await judge.outcome(of: testCase, check, seed: 1)
        let failure = try #require(Failure(CheckResult(check, .failed), check, outcome))
        let result = await Confirmation(
            judge: judge, options: CheckOptions(seed: 1), overlaps: true
        ).repeated(failure)
        #expect(result.rate == FailureRate(runs: 4, failures: 1))
        #expect(Set(server.names).count == server.names.count, "\(server.names)")
    }

    @Test(arguments: [1, 2, 5])
    func aLimitedExecutorRunsAsManyCasesAsAllowed(casesMax: Int) async throws {
        let server = Server { _ in 1_000_000 }
        let counting = CountingExecutor(SimulatedExecutor { server.answer($0) })
        var judge = CaseJudge(subject: subject, executor: counting)
        judge.executor = LimitedExecutor(counting, casesMax: casesMax)
        await withTaskGroup(of: Bool.self) { [judge] group in
            for seed in 0..<12 {
                group.addTask {
                    guard let testCase = check.cases(subject, seed: UInt64(seed)).first else {
                        return false
                    }
                    let outcome = await judge.outcome(of: testCase, check, seed: 1)
                    return outcome.judgement == .passed
                }
            }
            for await isPassed in group { #expect(isPassed) }
        }
        #expect(counting.most == casesMax)
        #expect(counting.all == 12)
    }
}
