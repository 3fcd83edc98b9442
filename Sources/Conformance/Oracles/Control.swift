import Diagnostics
package import Results
import Session

/// Control check: the ordinary form of an action is tried first. If it fails, nothing can be
/// concluded.
enum Control {
    /// Prefix of the reason for an inconclusive result if a client could not log in.
    static let noLogin = "no login"
    /// Prefix of the reason for an inconclusive result if a control step failed.
    static let stepFailed = "the control step failed"

    /// Returns whether a login or a control step failed.
    static func isUnserved(_ evidence: Evidence) -> Bool {
        evidence.result.outcome == .failed
            && (evidence.decidingRole == .setup || evidence.decidingRole == .control)
    }

    /// Returns the reason that a client could not log in; nil if it could.
    static func reasonForNoLogin(_ judgement: Judgement) -> String? {
        guard case .inconclusive(let reason) = judgement, reason.hasPrefix("\(noLogin): ") else {
            return nil
        }
        return String(reason.dropFirst("\(noLogin): ".count))
    }

    /// Applies the case's judge if the logins and control steps succeeded.
    static func judge(_ evidence: inout Evidence) -> Judgement {
        let message = evidence.result.diagnostic?.message ?? ""
        switch (evidence.result.outcome, evidence.decidingRole) {
        case (.inconclusive, _): return .inconclusive(message)
        case (.failed, .setup): return .inconclusive("\(noLogin): \(message)")
        case (.failed, .control): return .inconclusive("\(stepFailed): \(message)")
        case (.failed, nil): return .inconclusive(message)
        default: return evidence.testCase.judge(&evidence)
        }
    }
}

extension CheckResult {
    /// True if the check is inconclusive because a login or a control step failed.
    package var isUnserved: Bool {
        verdict == .inconclusive
            && (reason.hasPrefix(Control.noLogin) || reason.hasPrefix(Control.stepFailed))
    }
}
