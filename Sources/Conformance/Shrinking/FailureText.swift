import Diagnostics
import Results
import Session

/// The scenario file written for a failure.
enum FailureText {
    static func text(
        _ play: CheckCase, _ check: Check, _ result: CheckResult, _ subject: Subject,
        _ options: CheckOptions, isSaid: Bool
    ) -> String {
        var remarks = ["\(check.id): \(play.title)", ""]
        if let finding = result.finding {
            remarks.append("expected: \(oneLine(finding.expected))")
            remarks.append("got:      \(oneLine(finding.got))")
        }
        if let rate = result.rate {
            remarks.append("failed \(rate.failures) of \(rate.plays) times")
        }
        remarks.append("found with seed \(options.seed); the dialect says \(check.basis)")
        if !isSaid {
            remarks.append(
                "`linejudge run` passes this scenario, because expectations cannot state")
            remarks.append(
                "what was found; the evidence is in the .jsonl and .pcapng files next to it")
        }
        if play.segmentation != .whole {
            remarks.append("run it with: linejudge run --segment \(play.segmentation.word)")
        }
        return CaseText(play, check.heading, subject, isStrict: true, remarks: remarks).text
    }

    private static func oneLine(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " / ")
    }
}
