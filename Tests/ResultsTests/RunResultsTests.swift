import Diagnostics
import Foundation
import LineProtocol
import Results
import Testing

struct RunResultsTests {
    private func results(_ verdicts: [Verdict], isUnreachable: Bool = false) -> RunResults {
        var results = RunResults(
            toolVersion: "1.0", seed: .max, server: ServerDescription(endpoint: "tcp://h:1"),
            startedAt: 1_700_000_000)
        results.scenarios = verdicts.map { verdict in
            var result = ScenarioResult(path: "x.chat", title: "X", verdict: verdict)
            result.isUnreachable = isUnreachable && verdict == .inconclusive
            return result
        }
        return results
    }

    @Test(
        arguments: [
            ([.passed], ExitCode.ok), ([.passed, .flaky, .knownFailure, .skipped], .ok),
            ([.passed, .failed], .failed), ([.failed, .error, .inconclusive], .failed),
            ([.passed, .error], .unparsable), ([.passed, .inconclusive], .inconclusive),
            ([.inconclusive], .inconclusive), ([.skipped], .inconclusive), ([], .inconclusive),
        ] as [([Verdict], ExitCode)])
    func worstVerdictDeterminesTheExitCode(verdicts: [Verdict], code: ExitCode) {
        #expect(results(verdicts).exitCode == code)
    }

    @Test func runIsUnavailableIfNoServerWasReached() {
        #expect(results([.inconclusive, .skipped], isUnreachable: true).exitCode == .unavailable)
        #expect(results([.inconclusive, .passed], isUnreachable: true).exitCode == .inconclusive)
    }

    @Test func interruptionTakesPrecedence() {
        var interrupted = results([.failed])
        interrupted.interruption = .terminated
        #expect(interrupted.exitCode == .terminated)
        interrupted.interruption = .interrupted
        #expect(interrupted.exitCode == .interrupted)
        interrupted.interruption = .failFast
        #expect(interrupted.exitCode == .failed)
    }

    private var full: RunResults {
        var full = results([.passed, .failed])
        full.interruption = .interrupted
        full.duration = 12
        full.server = ServerDescription(
            endpoint: "tcp://h:1", software: "s", version: "2", command: "run {{port}}")
        let source = SourceText(
            path: "x.chat", bytes: Array("title X\na <- y \u{FF}\n".utf8) + [0xFF])
        let location = DiagnosticLocation(
            source: source, range: SourceRange(start: 8, end: 9), label: "here")
        full.scenarios[1].diagnostics = [
            Diagnostic(.error, "a.b", "no", at: location, related: [location]).help("do").note("so")
        ]
        full.scenarios[1].rules = [
            CitedRule(document: "RFC 1", section: "2", level: .should, quote: "SHOULD")
        ]
        full.scenarios[1].tags = ["t"]
        full.scenarios[1].segmentation = .random(seed: 9)
        full.scenarios[1].line = 2
        full.scenarios[1].attempts = 2
        full.scenarios[1].isTimingBased = true
        full.scenarios[1].serverOutput = [0, 255]
        full.scenarios[1].transcript = [
            TranscriptEntry(time: 1, operatorName: "a", kind: .connected),
            TranscriptEntry(
                time: 2, operatorName: "a", kind: .received, bytes: [0xC3, 0x28],
                terminator: [13, 10], payload: [], role: .standing),
        ]
        full.diagnostics = [Diagnostic(.warning, "c", "about the run")]
        return full
    }

    @Test(arguments: [
        ("run.wrong-close", "run.closed-otherwise"), ("run.pair-unstable", "run.twins-unsteady"),
        ("scenario.bad-placeholder", "scenario.bad-hole"),
        ("scenario.fixed-wait", "scenario.clocked-negative"),
        ("scenario.placeholder-in-key", "scenario.hole-in-key"),
        ("scenario.misplaced-placeholder", "scenario.misplaced-hole"),
        ("scenario.unclosed-placeholder", "scenario.unclosed-hole"),
    ])
    func earlierDiagnosticCodesAreReadAsTheCurrentOnes(
        _ current: String, _ earlier: String
    ) throws {
        var results = full
        results.scenarios[1].diagnostics[0].code = DiagnosticCode(earlier)
        let data = try JSONEncoder().encode(results)
        results.scenarios[1].diagnostics[0].code = DiagnosticCode(current)
        #expect(try JSONDecoder().decode(RunResults.self, from: data) == results)
    }

    @Test func runResultsRoundTrip() throws {
        let data = try JSONEncoder().encode(full)
        #expect(try JSONDecoder().decode(RunResults.self, from: data) == full)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""schema":"linejudge.run\/2""#))
        #expect(text.components(separatedBy: #""path":"x.chat","text""#).count <= 2)
    }
}
