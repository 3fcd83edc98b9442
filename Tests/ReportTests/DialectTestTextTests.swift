import Diagnostics
import LineProtocol
import Results
import Testing

@testable import Report

/// The report on the test of a dialect.
struct DialectTestTextTests {
    private static let text = DialectTestText(style: Style(isColoured: false))

    /// Results with each kind of finding.
    private static var results: DialectTestResults {
        var results = DialectTestResults(
            toolVersion: "1.0", seed: 7, server: ServerDescription(endpoint: "tcp://[::1]:7000"),
            dialect: "mychat")
        var failure = ScenarioResult(
            path: "dialect-test", title: "say, heard", verdict: .failed,
            reason: "the message did not arrive",
            diagnostics: [Diagnostic(.error, "run.timeout", "the message did not arrive")])
        failure.transcript = [
            TranscriptEntry(
                time: 1_000_000, operatorName: "alice", kind: .sent, bytes: Array("SAY|x".utf8),
                terminator: [10]),
            TranscriptEntry(
                time: 2_000_000, operatorName: "bob", kind: .received, bytes: Array("NOTE".utf8),
                terminator: [10]),
        ]
        failure.focus = TranscriptFocus(entry: nil, operators: [])
        failure.duration = 1_001_000_000
        results.tests = [
            .init("connect", .passed, note: "greeting: `HELLO`"), .init("login", .passed),
            .init("say, heard", .failed, result: failure),
            .init("logout", .skipped, note: "needs --var reason=VALUE"),
        ]
        results.undeclared = ["relay", "arrival"]
        var note = SchemaReport.Deviation(
            kind: "unknown-command", command: Array("NOTE".utf8), words: "unknown command",
            count: 2, example: Array("NOTE\u{7}".utf8))
        note.location = SchemaReport.Location(
            file: "say, heard", line: nil, operatorName: "bob")
        let type = SchemaReport.Deviation(
            kind: "bad-value", command: Array("OK".utf8), words: "count is not an int", count: 1,
            example: Array("OK|x".utf8))
        results.commandTable.lines = 9
        results.commandTable.breaks = [note, type]
        results.undescribed = [
            .init(note, suggestion: "add to `commands`:  note: {wire: NOTE, from: server}")
        ]
        results.duration = 1_100_000_000
        return results
    }

    @Test func eachTestHasALine() {
        #expect(
            Self.results.tests.map(Self.text.line) == [
                "✓ connect             greeting: `HELLO`\n", "✓ login\n", "✗ say, heard\n",
                "– logout              needs --var reason=VALUE\n",
            ])
    }

    @Test func longNotesAreWrappedInTheirColumn() {
        let text = DialectTestText(style: Style(isColoured: false), columns: 60)
        let note = "the dialect says `refuse`, but the server accepted it"
        #expect(
            text.line(for: .init("second login", .failed, note: note)) == """
                ✗ second login        the dialect says `refuse`, but the
                                      server accepted it

                """)
    }

    @Test func failuresAndUndescribedLinesAreExplained() {
        #expect(
            Self.text.heading(Self.results) == """
                linejudge 1.0: dialect mychat against tcp://[::1]:7000, seed 7


                """)
        #expect(
            Self.text.ending(Self.results) == """

                ✗ FAIL  say, heard
                error: the message did not arrive
                  transcript (2 lines):
                       1.0 ms  alice  →  SAY|x
                       2.0 ms  bob    ←  NOTE
                  > 1001.0 ms         ·  failed here

                ✗ server lines that match no command of the dialect
                  2 × NOTE: unknown command  `NOTE\\x07`  (say, heard)
                      add to `commands`:  note: {wire: NOTE, from: server}

                ✗ server lines that violate the dialect
                  1 × OK: count is not an int  `OK|x`

                not declared by the dialect: relay, arrival
                commands: 0 of 0 seen in 9 lines
                4 tests in 1.10 s: 1 failed, 1 not tested, 2 passed

                """)
    }

    @Test func theExitCodeStatesTheWorstResult() {
        var results = Self.results
        #expect(results.exitCode == .failed)
        results.tests.removeAll { $0.verdict == .failed }
        #expect(results.exitCode == .failed)
        results.commandTable.breaks = []
        #expect(results.exitCode == .ok)
        results.tests.append(.init("probe", .inconclusive))
        #expect(results.exitCode == .inconclusive)
        results.interruption = .terminated
        #expect(results.exitCode == .terminated)
    }

    @Test func onlyConnectingTestsNothing() {
        var results = Self.results
        results.commandTable.breaks = []
        results.tests = [.init("connect", .passed), .init("login", .skipped)]
        #expect(results.exitCode == .inconclusive)
    }
}
