import Results
import Session
import Testing

@testable import Conformance

/// The order in which failures are confirmed.
struct ConfirmationPlanTests {
    private let subject: Subject

    init() throws { subject = try EvidenceTable.subject("irc") }

    /// A failure that was found after this many seconds.
    private func failure(
        _ id: String, _ kind: String, after seconds: Int64 = 0, isAlone: Bool = false
    ) throws -> Failure {
        let parts = id.split(separator: ":").map(String.init)
        let checkID = CheckID(parts[0], parts.count > 1 ? parts[1] : nil)
        var check = Check(checkID, "it holds", setting: "framing", in: subject) { _ in [] }
        check.isAlone = isAlone
        let outcome = CaseOutcome(
            testCase: CaseScript("a case", subject).made(),
            judgement: .failed(Finding(kind, expected: "", got: "")),
            result: ScenarioOutcome(outcome: .failed, duration: seconds * 1_000_000_000),
            isUnreachable: false)
        return try #require(Failure(CheckResult(check, .failed), check, outcome))
    }

    private func ids(_ failures: [Failure]) -> [String] { failures.map { "\($0.check.id)" } }

    @Test func theFirstFailureOfEachCauseIsConfirmedInFull() throws {
        let failures = [
            try failure("arity.few:JOIN", "served"), try failure("arity.few:KICK", "served"),
            try failure("arity.few:PART", "silent"), try failure("frame.seg", "lost"),
            try failure("frame.eof:part", StaleSession.kind),
            try failure("reconn.mid", StaleSession.kind),
        ]
        let plan = ConfirmationPlan(failures, jobs: 8)
        #expect(
            ids(plan.stages[0].firsts) == [
                "arity.few:JOIN", "arity.few:PART", "frame.seg", "frame.eof:part",
            ])
        #expect(ids(plan.stages[0].others) == ["arity.few:KICK", "reconn.mid"])
        #expect(plan.stages[0].overlaps)
        #expect(plan.stages[0].jobs == 8)
        #expect(plan.stages[1].isEmpty)
        #expect(plan.stages[2].isEmpty)
    }

    @Test func slowFailuresComeFirst() throws {
        let failures = [
            try failure("a", "served", after: 1), try failure("b", "lost", after: 6),
            try failure("c", "refused"), try failure("d", "lost", after: 3),
            try failure("a:x", "served"), try failure("a:y", "served", after: 2),
        ]
        let plan = ConfirmationPlan(failures, jobs: 8)
        #expect(ids(plan.stages[0].firsts) == ["b", "d", "a", "c"])
        #expect(ids(plan.stages[0].others) == ["a:y", "a:x"])
        let ordered = ConfirmationPlan(failures, jobs: 8, keepsOrder: true)
        #expect(ids(ordered.stages[0].firsts) == ["a", "b", "c", "d"])
        #expect(ids(ordered.stages[0].others) == ["a:x", "a:y"])
    }

    @Test(arguments: [(1, 1), (3, 3), (4, 0)])
    func theServerIsObservedIfThereAreFewCauses(causes: Int, observed: Int) throws {
        let failures = try (0..<causes).map { try failure("rule\($0)", "lost") }
        let plan = ConfirmationPlan(failures, jobs: 8)
        #expect(plan.observed.count == observed)
        #expect(plan.stages[0].firsts.count == causes)
    }

    @Test(arguments: ["wedged", "held-up", "spins", "memory", "leak"])
    func failuresThatMayDisturbOthersComeLastAndOneByOne(kind: String) throws {
        let failures = [
            try failure("one", kind), try failure("one:again", kind), try failure("two", "lost"),
            try failure("three", kind),
        ]
        let plan = ConfirmationPlan(failures, jobs: 8)
        #expect(ids(plan.observed) == ["two"])
        #expect(ids(plan.stages[0].firsts) == ["two"])
        #expect(plan.stages[0].others.isEmpty)
        #expect(ids(plan.stages[1].firsts) == ["one", "three"])
        #expect(plan.stages[1].jobs == 1)
        #expect(!plan.stages[1].overlaps)
        #expect(ids(plan.stages[2].others) == ["one:again"])
        #expect(plan.stages[2].overlaps)
    }

    @Test func failuresThatBlockAServerHaveServersOfTheirOwn() throws {
        let failures = [
            try failure("one", "wedged"), try failure("one:again", "wedged"),
            try failure("two", "lost"), try failure("three", "leak"),
            try failure("four", "wedged", isAlone: true),
        ]
        let plan = ConfirmationPlan(failures, jobs: 8, serversMax: 4)
        #expect(ids(plan.isolated.firsts) == ["one"])
        #expect(ids(plan.isolated.others) == ["one:again"])
        #expect(plan.isolated.jobs == 4)
        #expect(ids(plan.stages[0].firsts) == ["two"])
        #expect(ids(plan.stages[1].firsts) == ["three", "four"])
        #expect(plan.stages[2].isEmpty)
        let single = ConfirmationPlan(failures, jobs: 1, serversMax: 4)
        #expect(single.isolated.isEmpty)
        #expect(single.stages[0].firsts.count + single.stages[0].others.count == 5)
    }

    @Test func manyFailuresThatMayDisturbOthersAreConfirmedAtTheSameTime() throws {
        let failures = try (0..<4).map { try failure("rule\($0)", "wedged") }
        let plan = ConfirmationPlan(failures, jobs: 8)
        #expect(plan.stages[0].isEmpty)
        #expect(plan.stages[1].isEmpty)
        #expect(plan.stages[2].firsts.count == 4)
        #expect(plan.stages[2].jobs == 8)
        #expect(!plan.stages[2].overlaps)
    }

    @Test func checksThatRunAloneAreConfirmedAlone() throws {
        let failures = [try failure("frame.foreign", "delayed", isAlone: true)]
        let plan = ConfirmationPlan(failures, jobs: 8)
        #expect(plan.observed.isEmpty)
        #expect(ids(plan.stages[1].firsts) == ["frame.foreign"])
    }

    @Test func withOneJobNothingOverlaps() throws {
        let failures = [
            try failure("a", "served"), try failure("b", "wedged", after: 6),
            try failure("a:x", "served"),
        ]
        let plan = ConfirmationPlan(failures, jobs: 1)
        #expect(plan.observed.isEmpty)
        #expect(plan.stages.count == 1)
        #expect(ids(plan.stages[0].firsts) == ["a", "b"])
        #expect(ids(plan.stages[0].others) == ["a:x"])
        #expect(plan.stages[0].jobs == 1)
        #expect(!plan.stages[0].overlaps)
    }
}
