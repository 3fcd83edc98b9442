import Diagnostics
import Results
import Scenario

extension LoadedScenario {
    /// The rule that keeps it from being played on some software.
    func skip(on software: Software?) -> SoftwareRule? {
        guard let software, let file else { return nil }
        return file.header.skips.first { $0.applies(to: software.name, version: software.version) }
    }

    /// The rule that says that it fails on some software.
    func knownFailure(on software: Software?) -> SoftwareRule? {
        guard let software, let file else { return nil }
        return file.header.knownFailures.first {
            $0.applies(to: software.name, version: software.version)
        }
    }
}

extension ScenarioResult {
    /// What becomes of a verdict where the failure is known: the failure is excused until its date is
    /// over, and a pass means that the line must go.
    mutating func apply(_ rule: SoftwareRule, in file: ScenarioFile, today: CalendarDate?) {
        let location = DiagnosticLocation(source: file.source, range: rule.range)
        switch verdict {
        case .passed:
            verdict = .failed
            reason = "known failure passes now: remove the line"
            diagnostics.append(
                Diagnostic(
                    .error, .knownFailurePasses, "the known failure passes now", at: location
                )
                .help("remove the line"))
        case .failed:
            if let until = rule.until, let today, until < today {
                reason = "known failure is no longer excused since \(until.text): \(rule.reason)"
                diagnostics.append(
                    Diagnostic(
                        .error, .knownFailureExpired,
                        "this failure was excused until \(until.text)", at: location
                    ).help("mend the server, or give the line a later date"))
                return
            }
            verdict = .knownFailure
            reason = rule.reason
        default: break
        }
    }
}

extension CalendarDate {
    /// `2026-01-31`.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}
