import Diagnostics
import Results
import Scenario
import Testing

@testable import Conformance

/// Class, repetition and confirmation of a failure.
struct VerdictOracleTests {
    private func judgement(
        failing role: CaseStep.Role, question: Step = .quiet("alice")
    ) throws -> Judgement {
        let subject = try EvidenceTable.subject("irc")
        var script = CaseScript("", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice7"))
        script.send(.control, Array("VERSION\r\n".utf8), by: "alice")
        script.send(.stimulus, Array("TIME\r\n".utf8), by: "alice")
        script.step(.question, question)
        return try EvidenceTable.judgement(
            script.made { StaleSession.judge($0) ?? $0.scripted() }, subject, [],
            failing: (role, "run.timeout"))
    }

    @Test(arguments: [
        (CaseStep.Role.setup, "no login: it failed"),
        (.control, "the control step failed: it failed"),
    ])
    func aPlainFormThatFailsLeavesTheClaimOpen(role: CaseStep.Role, words: String) throws {
        #expect(try judgement(failing: role) == .inconclusive(words))
    }

    @Test func aClaimThatFailsIsAFailure() throws {
        #expect(try judgement(failing: .question).kind == "lost")
    }

    @Test func aNameThatCannotBeTakenAgainIsAStaleSession() throws {
        let free = Step.nameFree("alice7", within: 5_000_000_000)
        #expect(try judgement(failing: .question, question: free).kind == "stale-session")
    }

    @Test(arguments: [(0, 0.0, 1.0), (4, 0.0, 0.5), (100, 0.0, 0.04)])
    func aRateThatWasNeverSeenIsBounded(runs: Int, low: Double, high: Double) {
        let interval = FailureRate(runs: runs, failures: 0).interval
        #expect(interval.lowerBound == low)
        #expect(interval.upperBound <= high)
        #expect(interval.upperBound > high / 2)
    }

    @Test func aRateLiesInItsInterval() {
        let rate = FailureRate(runs: 21, failures: 4)
        #expect(rate.interval.contains(rate.share))
        #expect(FailureRate(runs: 4, failures: 4).interval.upperBound == 1)
    }
}
