import Diagnostics
import Results
import Session

/// The scenario file written for a failure.
enum FailureText {
    static func text(
        _ testCase: CheckCase, _ check: Check, _ result: CheckResult, _ subject: Subject,
        _ options: CheckOptions, isSaid: Bool
    ) -> String {
        var remarks = ["\(check.id): \(testCase.title)", ""]
        if let finding = result.finding {
            remarks.append("expected: \(oneLine(finding.expected))")
            remarks.append("got:      \(oneLine(finding.got))")
        }
        if let rate = result.rate {
            remarks.append("failed \(rate.failures) of \(rate.runs) times")
        }
        remarks.append("found with seed \(options.seed); the dialect says \(check.basis)")
        if !isSaid {
            remarks.append(
                "`linejudge run` passes this scenario, because expectations cannot state")
            remarks.append(
                "what was found; the evidence is in the .jsonl and .pcapng files next to it")
        }
        if testCase.segmentation != .whole {
            remarks.append("run it with: linejudge run --segment \(testCase.segmentation.word)")
        }
        return CaseText(testCase, check.heading, subject, isStrict: true, remarks: remarks).text
    }

    private static func oneLine(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " / ")
    }
}
