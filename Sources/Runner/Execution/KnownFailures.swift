import Diagnostics
import LineProtocol
import Results
import Scenario

extension LoadedScenario {
    /// Returns the rule that skips the scenario for this software; nil if there is none.
    func skip(on software: Software?) -> SoftwareRule? {
        guard let software, let file else { return nil }
        return file.header.skips.first { $0.applies(to: software.name, version: software.version) }
    }

    /// Returns the rule that declares a known failure for this software; nil if there is none.
    func knownFailure(on software: Software?) -> SoftwareRule? {
        guard let software, let file else { return nil }
        return file.header.knownFailures.first {
            $0.applies(to: software.name, version: software.version)
        }
    }
}

extension ScenarioResult {
    /// Applies a known failure to the verdict. A failure is excused until the date given in the
    /// rule. If the scenario passes, the rule is reported as obsolete.
    mutating func apply(_ rule: SoftwareRule, in file: ScenarioFile, today: CalendarDate?) {
        let location = DiagnosticLocation(source: file.source, range: rule.range)
        switch verdict {
        case .passed:
            verdict = .failed
            reason = "known failure now passes: remove the `known failure` line"
            diagnostics.append(
                Diagnostic(
                    .error, .knownFailurePasses, "the known failure now passes", at: location
                )
                .help("remove the `known failure` line"))
        case .failed:
            if let until = rule.until, let today, until < today {
                reason = "known failure, excused only until \(until): \(rule.reason)"
                diagnostics.append(
                    Diagnostic(
                        .error, .knownFailureExpired,
                        "this failure was excused until \(until)", at: location
                    ).help("fix the server, or choose a later date"))
                return
            }
            verdict = .knownFailure
            reason = rule.reason
        default: break
        }
    }
}
