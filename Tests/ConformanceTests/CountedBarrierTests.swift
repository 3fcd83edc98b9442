import Results
import Session
import Testing

@testable import Conformance

/// If all probe answers are identical, one answer too few or too many is a finding.
struct CountedBarrierTests {
    private func judgement(
        _ dialect: String, stimulus: String, _ rows: [EvidenceTable.Row]
    ) throws -> Judgement {
        let subject = try EvidenceTable.subject(dialect)
        var script = CaseScript("", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice7"))
        script.send(.stimulus, Array((stimulus + "\r\n").utf8), by: "alice")
        script.barrier("alice")
        return try EvidenceTable.judgement(script.made(), subject, rows)
    }

    /// A server that answers nothing at all fails the barrier itself.
    @Test(arguments: [(0, nil), (1, nil), (2, "desync")] as [(Int, String?)])
    func oneProbeHasOneAnswer(answers: Int, kind: String?) throws {
        var probe = EvidenceTable.Row.sent("alice", "PING")
        probe.role = .probe
        let rows =
            [probe]
            + (0..<answers).map { _ in .received("alice", "PONG") }
        #expect(try judgement("nats", stimulus: "PUB a 1\r\nx", rows).kind == kind)
    }

    @Test func aStimulusThatAsksItselfIsNotCounted() throws {
        let rows: [EvidenceTable.Row] = [
            .sent("alice", "ping", .stimulus), .received("alice", "PONG"),
        ]
        #expect(try judgement("nats", stimulus: "ping", rows) == .passed)
    }

    @Test func norOneThatAsksInPieces() throws {
        var first = EvidenceTable.Row.sent("alice", "PI", .stimulus)
        first.hasEnd = false
        let rows = [first, .sent("alice", "NG", .stimulus), .received("alice", "PONG")]
        #expect(try judgement("nats", stimulus: "ping", rows) == .passed)
    }

    @Test func norOneWithASecret() throws {
        var login = EvidenceTable.Row.sent("alice", "CONNECT ***", .stimulus)
        login.isMasked = true
        let rows = [login, .received("alice", "PONG")]
        #expect(try judgement("nats", stimulus: "CONNECT x\r\nPING", rows) == .passed)
    }

    @Test func answersWithAWordOfTheirOwnNeedNoCount() throws {
        let rows = [EvidenceTable.Row.received("alice", ":s PONG s x")]
        #expect(try judgement("irc", stimulus: "X", rows) == .passed)
    }

    @Test func aConnectionThatHasEndedIsNotCounted() throws {
        let rows: [EvidenceTable.Row] = [
            .sent("alice", "PING"),
            .init(during: .question, handle: "alice", kind: .closedByPeer, text: ""),
        ]
        #expect(try judgement("nats", stimulus: "X", rows) == .passed)
    }
}
