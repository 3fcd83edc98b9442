import Diagnostics
import Results
import Scenario
import Session

/// A converter that turns failed expectations into findings.
enum ScriptedFinding {
    static func finding(_ evidence: Evidence) -> Finding {
        let diagnostic = evidence.result.diagnostic
        let step = evidence.decidingStep.map { evidence.testCase.steps[$0] }
        let label = diagnostic?.location?.label ?? ""
        let message = diagnostic?.message ?? "the step failed"
        let got = label.isEmpty ? message : "\(message): \(label)"
        switch diagnostic?.code.word {
        case "run.closed", "run.not-connected", "run.half-closed":
            return Finding(
                "closed", expected: expected(step), got: Liveness.closing(evidence) ?? got)
        case "run.timeout" where isProbe(step):
            return Finding(
                "wedged", expected: expected(step),
                got:
                    "no answer within \(seconds(evidence.testCase.patience)), and the connection stayed open"
            )
        case "run.timeout": return Finding("lost", expected: expected(step), got: got)
        case "run.pair-differs":
            return Finding("differs", expected: "the same outcome as the control", got: got)
        case "run.not-quiet", "run.unwanted-line":
            return Finding("extra-line", expected: "no further lines", got: got)
        case "run.not-closed":
            return Finding("not-closed", expected: "the connection is closed", got: got)
        default:
            return Finding(
                diagnostic?.code.word.split(separator: ".").last.map(String.init) ?? "failed",
                expected: expected(step), got: got)
        }
    }

    /// Returns whether a step probes the server.
    static func isProbe(_ step: CaseStep?) -> Bool {
        step?.asksWhetherAlive ?? false
    }

    private static func expected(_ step: CaseStep?) -> String {
        guard let step else { return "an answer" }
        if isProbe(step) {
            return step.handle == Bystander.handle
                ? "an answer to the uninvolved client's next probe"
                : "an answer to the next probe"
        }
        return "`\(StepPrinter.lines(step.steps).joined(separator: "\n"))`"
    }

    static func seconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
