import Results
import Session
import Testing

@testable import Conformance

/// Resets of connections, which can discard a server's last message.
struct ResetTests {
    /// Returns the judgement if the server resets the connection after `count` empty lines.
    private func judgement(
        count: Int, _ kind: TranscriptEntry.Kind, after message: String? = nil
    ) throws -> Judgement {
        let subject = try EvidenceTable.subject("pop3")
        let checks = FrameEmpty.entries(subject).compactMap { entry in
            if case .check(let check) = entry { check } else { nil }
        }
        let cases = try #require(checks.first).cases(subject, seed: 1)
        let number = count == 1 ? "one" : "\(count)"
        let testCase = try #require(cases.first { $0.title.hasPrefix("\(number) ") })
        // Empty lines are sent as raw bytes, which include the terminator of the last line.
        let lines = String(repeating: "\r\n", count: count)
        var sent = EvidenceTable.Row.sent("alice", lines, .stimulus)
        sent.hasEnd = false
        var rows = [sent]
        rows += message.map { [.received("alice", $0)] } ?? []
        rows.append(EvidenceTable.Row(during: .question, handle: "alice", kind: kind, text: ""))
        return try EvidenceTable.judgement(testCase, subject, rows)
    }

    private func isFailure(_ judgement: Judgement) -> Bool {
        if case .failed = judgement { true } else { false }
    }

    @Test func aResetMayHaveDiscardedTheAnswerToSeveralLines() throws {
        #expect(try !isFailure(judgement(count: 10, .resetByPeer)))
        #expect(try !isFailure(judgement(count: 100, .resetByPeer)))
    }

    /// A probe that the server has not read when it closes the connection resets it, too.
    @Test func aResetAfterOneLineIsAFailure() throws {
        #expect(try isFailure(judgement(count: 1, .resetByPeer)))
    }

    @Test func aCloseWithoutAMessageIsAFailure() throws {
        #expect(try isFailure(judgement(count: 10, .closedByPeer)))
        #expect(try !isFailure(judgement(count: 10, .closedByPeer, after: "-ERR too many")))
    }
}
