import Diagnostics
import Results
import Session

/// A formatter for the scenario file of a failure.
enum FailureText {
    static func scenario(
        _ testCase: CheckCase, _ check: Check, _ result: CheckResult, _ subject: Subject,
        _ options: CheckOptions, failsAsScenario: Bool = true, isConfirmed: Bool = true
    ) -> CaseScenario {
        var comments = ["\(check.id): \(testCase.title)", ""]
        if let finding = result.finding {
            comments.append("expected: \(oneLine(finding.expected))")
            comments.append("got:      \(oneLine(finding.got))")
        }
        if let rate = result.rate {
            comments.append("failed \(rate.failures) of \(rate.runs) times")
        }
        comments.append("found with seed \(options.seed); dialect setting: \(check.basis)")
        if !isConfirmed { comments.append("the failure has not been confirmed or shrunk") }
        if !failsAsScenario {
            comments.append(
                "this scenario passes in `linejudge run`, because expectations cannot express")
            comments.append(
                "what was found; the evidence is in the .jsonl and .pcapng files next to it")
        }
        if testCase.segmentation != .whole {
            comments.append("run it with: linejudge run --segment \(testCase.segmentation.word)")
        }
        return CaseScenario(
            testCase, check.heading, subject, isWritten: true, comments: comments)
    }

    private static func oneLine(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " / ")
    }
}
