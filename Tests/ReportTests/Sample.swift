import Diagnostics
import Foundation
import LineProtocol
import Results

/// Run results with every feature of the reports, and others with special cases.
enum Sample: String, CaseIterable {
    case everything, nothing, hundreds

    var results: RunResults {
        switch self {
        case .everything: Self.results
        case .nothing: Self.interrupted
        case .hundreds: Self.allPassed(300)
        }
    }

    static let results: RunResults = {
        var results = RunResults(
            toolVersion: "0.1.0", seed: 7,
            server: ServerDescription(
                endpoint: "tcp://127.0.0.1:6667", software: "ngircd", version: "26.1"),
            startedAt: 1_790_000_000, duration: 3_210_000_000,
            scenarios: [
                passed, failed, flaky, unreachable, skipped, knownFailure, unreadable, hostile,
            ])
        results.commandTables = [
            RunResults.CommandTable(dialect: "irc+ngircd", report: SchemaSample.report)
        ]
        return results
    }()

    /// Results with passed scenarios only.
    static func allPassed(_ count: Int) -> RunResults {
        var results = Self.results
        results.commandTables = []
        results.scenarios = (1...count).map { number in
            var scenario = passed
            scenario.title = "Scenario number \(number)"
            scenario.path = "Scenarios/many/\(number).chat"
            scenario.duration = Int64(number) * 1_700_000
            return scenario
        }
        return results
    }

    /// No results, as after an immediate interruption.
    static let interrupted: RunResults = {
        var results = Self.results
        results.scenarios = []
        results.commandTables = []
        results.interruption = .interrupted
        return results
    }()

    private static var passed: ScenarioResult {
        var result = ScenarioResult(
            path: "Scenarios/irc/welcome.chat", title: "A newcomer is welcomed", tags: ["login"],
            dialect: "irc", verdict: .passed)
        result.attempts = 1
        result.duration = 12_300_000
        result.stepsRun = 4
        result.transcript = [
            entry(0, "alice", .connected), entry(412_000, "alice", .sent, "NICK alice"),
            entry(3_100_000, "alice", .received, ":irc.local 001 alice :Welcome"),
            entry(12_300_000, "alice", .closed),
        ]
        return result
    }

    private static let nickname = SourceText(
        path: "Scenarios/irc/nickname-case.chat",
        text: """
            title     A nickname is unique whatever its case
            cite      RFC 2812 §3.1.2  must

            bob   -> NICK ALICE
            bob   <- 433 {{...}}     within 2s

            """)

    private static var failed: ScenarioResult {
        let start = nickname.offset(line: 5, byteColumn: 10)
        var result = ScenarioResult(
            path: nickname.path, title: "A nickname is unique whatever its case",
            tags: ["login", "nick"], segmentation: .byte, dialect: "irc", verdict: .failed,
            diagnostics: [
                Diagnostic(
                    .error, "expect.other-command", "expected 433 (nickname in use), got 001",
                    at: DiagnosticLocation(
                        source: nickname, range: SourceRange(start: start, end: start + 3),
                        label: "received \":irc.local 001 ALICE :Welcome\" "
                            + "3.1 ms after the send on line 4"),
                    notes: [DiagnosticNote(.cite, "RFC 2812 §3.1.2 (must)")])
            ],
            rules: [
                CitedRule(
                    document: "RFC 2812", section: "3.1.2", level: .must,
                    quote: "If the server can't accept the <nickname> & it is in use, …")
            ])
        result.line = 5
        result.attempts = 2
        result.duration = 2_034_000_000
        result.stepsRun = 2
        result.transcript = [
            entry(0, "bob", .connected),
            entry(412_000, "bob", .sent, "NICK ALICE"),
            entry(900_000, "bob", .received, "PING :1", role: .standing),
            entry(950_000, "bob", .sent, "PONG 1", role: .standing),
            entry(3_500_000, "bob", .received, ":irc.local 001 ALICE :Welcome 😀 日本", end: "\n"),
            entry(2_034_000_000, "bob", .closedByPeer),
        ]
        result.focus = TranscriptFocus(entry: 4, operators: ["bob"])
        return result
    }

    private static var flaky: ScenarioResult {
        var result = ScenarioResult(
            path: "Scenarios/irc/slow.chat", title: "A slow answer", dialect: "irc",
            verdict: .flaky, reason: "failed on attempt 1: nothing received for 5s")
        result.attempts = 2
        result.duration = 700_000_000
        result.isTimingBased = true
        return result
    }

    private static var unreachable: ScenarioResult {
        var result = ScenarioResult(
            path: "Scenarios/irc/away.chat", title: "The server is away", dialect: "irc",
            verdict: .inconclusive, reason: "connection refused")
        result.attempts = 1
        result.duration = 800_000
        result.isUnreachable = true
        result.serverOutput = Array("starting\nbind: Address already in use \u{1B}[31m\n".utf8)
        return result
    }

    private static var skipped: ScenarioResult {
        ScenarioResult(
            path: "Scenarios/irc/tags.chat", title: "Tags # and 100 % more", dialect: "irc",
            verdict: .skipped, reason: "ngircd has no message tags")
    }

    private static var knownFailure: ScenarioResult {
        var result = ScenarioResult(
            path: "Scenarios/irc/long.chat", title: "A line of 600 bytes", dialect: "irc",
            verdict: .knownFailure, reason: "truncates silently")
        result.attempts = 1
        result.duration = 40_000_000
        return result
    }

    private static var unreadable: ScenarioResult {
        let source = SourceText(path: "Scenarios/irc/typo.chat", text: "titel  A typo\n")
        return ScenarioResult(
            path: source.path, title: "typo.chat", verdict: .error,
            diagnostics: [
                Diagnostic(
                    .error, "scenario.unknown-statement", "unknown statement `titel`",
                    at: DiagnosticLocation(source: source, range: SourceRange(start: 0, end: 5)),
                    notes: [DiagnosticNote(.help, "did you mean `title`?")])
            ])
    }

    /// External text that would be harmful if reports did not escape it.
    private static var hostile: ScenarioResult {
        let text = "<script>alert(1)</script> ]]> & \"quotes\" ::error:: \u{1B}[2J\u{7}\u{0}"
        let source = SourceText(path: "Scenarios/evil,dir/a:b.chat", text: "bob <- \(text)\n")
        var result = ScenarioResult(
            path: source.path, title: text, dialect: "plain", verdict: .failed,
            diagnostics: [
                Diagnostic(
                    .error, "expect.text", "expected \(text)",
                    at: DiagnosticLocation(source: source, range: SourceRange(start: 7, end: 15)))
            ])
        result.line = 1
        result.attempts = 1
        result.duration = 1_000_000
        result.transcript = [
            TranscriptEntry(
                time: 0, operatorName: "bob", kind: .sent, bytes: [0xFF, 0x00, 0x1B, 0x5B, 0x3C],
                terminator: [], payload: Array("pay\r\nload</pre>".utf8), role: .plain)
        ]
        return result
    }

    private static func entry(
        _ time: Int64, _ name: String, _ kind: TranscriptEntry.Kind, _ text: String = "",
        end: String? = nil, role: TranscriptEntry.Role = .plain
    ) -> TranscriptEntry {
        let hasEnd = kind == .sent || kind == .received
        return TranscriptEntry(
            time: time, operatorName: name, kind: kind, bytes: Array(text.utf8),
            terminator: Array((end ?? (hasEnd ? "\r\n" : "")).utf8), payload: nil, role: role)
    }
}
