import Foundation
import LineProtocol
import Results
import Testing

struct CheckFileTests {
    private var results: CheckResults {
        var results = CheckResults(
            toolVersion: "1.0", seed: 7, dialect: "irc", endpoint: "tcp://h:1", software: "s 2",
            startedAt: 1_700_000_000, duration: 12, isStrict: true)
        var failed = CheckResult(CheckID("arity.few", "JOIN"), .failed, reason: "closed")
        failed.claim = "JOIN with too few arguments is refused"
        failed.level = .must
        failed.clause = Clause(
            id: "", document: "RFC 1", section: "2", quote: "MUST", level: .must, rules: [])
        failed.basisLocation = BasisLocation(file: "irc.yaml", line: 3, column: 1, endColumn: 9)
        failed.finding = Finding("closed", expected: "a refusal", got: "a close")
        failed.stimulus = ["a → JOIN"]
        failed.rate = FailureRate(runs: 4, failures: 3)
        failed.segmentation = .random(seed: 3)
        failed.transcript = [
            TranscriptEntry(
                time: 1, operatorName: "a", kind: .sent, bytes: [0xFF], terminator: [13, 10],
                role: .standing, line: 4)
        ]
        failed.isTimingBased = true
        var passed = CheckResult(CheckID("frame.nul"), .passed, reason: "")
        passed.transcript = failed.transcript
        results.checks = [failed, passed]
        var comparison = BaselineComparison()
        comparison.changed = [
            .init(id: failed.id, before: CheckClass("refuse"), now: CheckClass("close"))
        ]
        comparison.gone = [.init(id: CheckID("a.b"), measured: CheckClass("x"))]
        comparison.added = [.init(id: CheckID("c.d"), measured: .inconclusive)]
        comparison.same = 1
        results.drift = CheckResults.Drift(baseline: "irc.baseline", comparison: comparison)
        results.commandTable = SchemaReport()
        return results
    }

    @Test func resultsRoundTrip() throws {
        let text = try ResultsFile.text(results)
        let read = try JSONDecoder().decode(CheckResults.self, from: Data(text.utf8))
        #expect(try ResultsFile.text(read) == text)
        #expect(read.drift == results.drift)
        #expect(read.checks[0].transcript == results.checks[0].transcript)
        #expect(read.checks[0].segmentation == .random(seed: 3))
        #expect(read.exitCode == results.exitCode)
    }

    @Test func passedChecksOmitTheirTranscript() throws {
        let text = try ResultsFile.text(results)
        let read = try JSONDecoder().decode(CheckResults.self, from: Data(text.utf8))
        #expect(read.checks[1].transcript.isEmpty)
    }

    @Test func matrixRoundTrips() throws {
        let matrix = CheckMatrix([.init("one", results), .init("two", results)])
        let text = try ResultsFile.text(matrix)
        guard case .check(let read) = try AnyResults(Array(text.utf8)) else {
            Issue.record("expected check results")
            return
        }
        #expect(try ResultsFile.text(read) == text)
    }

    @Test(arguments: [("baseline", "lock"), ("recorded", "pinned")])
    func differencesOfVersion1AreReadAsVersion2(_ current: String, _ earlier: String) throws {
        let text = try ResultsFile.text(results)
        let earlierText = text.replacing("linejudge.check/2", with: "linejudge.check/1")
            .replacing("\"\(current)\" :", with: "\"\(earlier)\" :")
        #expect(earlierText.contains("\"\(earlier)\""))
        guard case .check(let read) = try AnyResults(Array(earlierText.utf8)) else {
            Issue.record("expected check results")
            return
        }
        #expect(try ResultsFile.text(read.servers[0].results) == text)
    }

    @Test(arguments: [
        ("not-notified", "untold"), ("no-reason", "unsaid"), ("unfinished", "unended"),
        ("accepted", "taken"), ("wrong-close", "closed-otherwise"),
        ("pair-unstable", "twins-unsteady"),
    ])
    func earlierKindsOfFindingsAreReadAsTheCurrentOnes(_ current: String, _ earlier: String) throws
    {
        var results = results
        results.checks[0].finding?.kind = current
        let text = try ResultsFile.text(results)
        let earlierText = text.replacing(
            "\"kind\" : \"\(current)\"", with: "\"kind\" : \"\(earlier)\""
        ).replacing("fails (\(current))", with: "fails (\(earlier))")
        #expect(earlierText.contains("\"kind\" : \"\(earlier)\""))
        #expect(earlierText.contains("fails (\(earlier))"))
        let read = try JSONDecoder().decode(CheckResults.self, from: Data(earlierText.utf8))
        #expect(try ResultsFile.text(read) == text)
    }

    @Test func earlierIDsOfChecksAreReadAsTheCurrentOnes() throws {
        var results = results
        results.checks[0].id = CheckID("live.pong", "unsolicited")
        let text = try ResultsFile.text(results)
        let earlierText = text.replacing("\"unsolicited\"", with: "\"unasked\"")
            .replacing("live.pong:unsolicited", with: "live.pong:unasked")
        #expect(earlierText != text)
        let read = try JSONDecoder().decode(CheckResults.self, from: Data(earlierText.utf8))
        #expect(try ResultsFile.text(read) == text)
    }

    @Test func unknownVerdictIsNamedInTheError() throws {
        let text = try ResultsFile.text(results).replacing("\"failed\"", with: "\"melted\"")
        #expect {
            try AnyResults(Array(text.utf8))
        } throws: {
            "\($0)".contains("`melted` is not a verdict")
        }
    }
}
