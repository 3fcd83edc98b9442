import Diagnostics
import Results
import Session
import Testing

/// Limits of the data kept of a server's output.
struct BoundsTests {
    /// Returns a session with small limits, so that the tests are fast.
    private func session(
        _ text: String, _ segmentation: Segmentation = .whole
    ) throws -> ScenarioSession {
        var options = ExecutionOptions(segmentation: segmentation)
        options.limits.inboxLinesMax = 1_000
        options.limits.inboxBytesMax = 64 << 10
        options.limits.transcriptEntriesMax = 200
        options.limits.transcriptBytesMax = 32 << 10
        options.limits.entryBytesMax = 256
        options.limits.outgoingMax = 2_000
        var session = ScenarioSession(try compiled(text), options: options)
        session.start(at: 0)
        session.handle(.connected(first), at: 1)
        return session
    }

    private let first = ConnectionID(operatorIndex: 0, generation: 1)

    private func size(_ result: ScenarioOutcome?) -> Int {
        (result?.transcript ?? []).reduce(0) { $0 + $1.bytes.count + ($1.payload?.count ?? 0) }
    }

    @Test func unconsumedLinesEndTheScenarioAtTheLimit() throws {
        var session = try session("operators a\na connect\nwait 1m\n")
        // Stay below the limit of lines.
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 500) + [0x0A]
        var count = 0
        while session.result == nil, count < 1_000 {
            session.receive(line.span, first, at: 2)
            count += 1
        }
        #expect(session.result?.diagnostic?.code == "run.flooded")
        #expect(session.result?.diagnostic?.message.contains("or 65536 bytes") == true)
        #expect(count < 140)
        #expect(size(session.result) <= 32 << 10)
        #expect(session.result?.transcript.contains { $0.omittedBytes == 244 } == true)
        #expect((session.result?.omittedEntries ?? 0) > 0)
        #expect(
            session.result?.diagnostic?.notes.contains {
                $0.text.contains("transcript entries are omitted")
            }
                == true)
    }

    @Test func defaultLimits() {
        let limits = ExecutionOptions().limits
        #expect(limits == SessionLimits())
        #expect(limits.inboxBytesMax + limits.transcriptBytesMax <= 100 << 20)
    }

    /// More data than the limits: ignored by a rule, unterminated, skipped.
    @Test(arguments: [
        ("operators a\nignore NOTICE\na connect\nwait 1s\n", "NOTICE x :", "\r\n"),
        ("operators a\na connect\nwait 1s\n", "x", ""),
        ("operators a\na connect\na <~ 376  within 1s\n", "372 a :", "\r\n"),
        ("operators a\na connect\na closed  within 1s\n", "372 a :", "\r\n"),
    ])
    func floodIsProcessedWithoutBeingKept(text: String, start: String, end: String) throws {
        var session = try session(text)
        let filler = String(repeating: "y", count: 1_000)
        let read = Array((start + filler + end).utf8)
        for _ in 0..<1_500 { session.receive(read.span, first, at: 2) }
        #expect(session.result == nil)
        #expect(session.heldBytes <= (1 << 20) + (34 << 10))
        session.handle(.wake, at: 2_000_000_000)
        #expect(session.result != nil)
        #expect(size(session.result) <= 32 << 10)
    }

    @Test func comparisonKeepsNoMoreThanTheLimit() throws {
        let text =
            "operators a\noutcome of {\n    a -> X\n    wait 1s\n} same as {\n    a -> Y\n}\n"
        var session = try session(text)
        while session.nextAction() != nil {}
        session.handle(.wake, at: 400_000_000)
        let line = Array("372 a :x\r\n".utf8)
        for _ in 0..<1_200 where session.result == nil {
            session.receive(line.span, first, at: 500_000_000)
        }
        #expect(session.result?.diagnostic?.code == "run.flooded")
    }

    @Test func pendingStandingRepliesAreLimited() throws {
        let text = "operators a\non <- ASK  reply -> {{\"x\" * 400}}\na connect\nwait 1m\n"
        var session = try session(text, .byte)
        let line = Array("ASK\r\n".utf8)
        for _ in 0..<30 where session.result == nil { session.receive(line.span, first, at: 2) }
        #expect(session.result?.diagnostic?.code == "run.flooded")
        #expect(session.result?.line == 2)
    }

    @Test func longScenarioKeepsTheEndOfItsTranscript() throws {
        let text = "operators a\nignore TOPIC\na connect\nwait 1s\n"
        var session = try session(text)
        for number in 0..<1_000 {
            session.receive(Array("TOPIC \(number)\r\n".utf8).span, first, at: 2)
        }
        session.handle(.wake, at: 2_000_000_000)
        #expect(session.result?.outcome == .passed)
        let kept = session.result?.transcript ?? []
        #expect(kept.count <= 200)
        #expect(kept.count + (session.result?.omittedEntries ?? 0) == 1_001)
        #expect(kept.contains { $0.bytes == Array("TOPIC 999".utf8) && $0.role == .ignored })
    }
}
