import Diagnostics
import Session

/// Control check: the ordinary form of an action is tried first. If it fails, nothing can be
/// concluded.
enum Control {
    /// Prefix of the reason for an inconclusive result if a client could not log in.
    static let noLogin = "no login"

    /// Applies the case's judge if the logins and control steps succeeded.
    static func judge(_ evidence: inout Evidence) -> Judgement {
        let message = evidence.result.diagnostic?.message ?? ""
        switch (evidence.result.outcome, evidence.decidingRole) {
        case (.inconclusive, _): return .inconclusive(message)
        case (.failed, .setup): return .inconclusive("\(noLogin): \(message)")
        case (.failed, .control): return .inconclusive("the control step failed: \(message)")
        case (.failed, nil): return .inconclusive(message)
        default: return evidence.testCase.judge(&evidence)
        }
    }
}
