import Results
import Testing

@testable import Conformance

/// Uninvolved clients receive nothing and are served as before.
struct BystanderTests {
    private let subject: Subject
    private let testCase: CheckCase

    init() throws {
        subject = try EvidenceTable.subject("irc")
        let check = Check(CheckID("test"), "", setting: "framing", in: subject, cases: { _ in [] })
        var maker = CaseMaker(subject, id: check.id, seed: 1)
        var script = maker.talkingScript("a text")
        script.speak("hello", by: "alice")
        script.hear(as: "bob")
        testCase = script.made()
    }

    @Test func aTalkHasAWitnessWhoIsAskedInTheEnd() {
        #expect(testCase.actors.map(\.handle) == ["alice", "bob", "bystander"])
        let last = testCase.steps.suffix(2)
        #expect(last.allSatisfy { $0.handle == "bystander" && $0.role == .question })
    }

    @Test func aSilentWitnessSaysNothing() throws {
        #expect(try EvidenceTable.judgement(testCase, subject, []) == .passed)
    }

    @Test func whatReachesTheWitnessIsALeak() throws {
        let rows = [EvidenceTable.Row.received("bystander", ":alice!a@h PRIVMSG bystander :hello")]
        #expect(try EvidenceTable.judgement(testCase, subject, rows).kind == "leaked")
    }

    @Test func whatCameBeforeTheStimulusIsNone() throws {
        let rows = [EvidenceTable.Row.received("bystander", ":s NOTICE bystander :welcome", .setup)]
        #expect(try EvidenceTable.judgement(testCase, subject, rows) == .passed)
    }

    @Test func aDialectWhereAllHearAllHasNone() throws {
        let plain = try EvidenceTable.subject("plain")
        let check = Check(CheckID("test"), "", setting: "framing", in: plain, cases: { _ in [] })
        var maker = CaseMaker(plain, id: check.id, seed: 1)
        #expect(maker.talkingScript("a text").actors.map(\.handle) == ["alice", "bob"])
    }
}
