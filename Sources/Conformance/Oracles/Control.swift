import Diagnostics
import Session

/// Control check: the ordinary form comes first, and if it fails, nothing can be concluded.
enum Control {
    /// Start of the reason if a client could not log in.
    static let noLogin = "no login"

    /// Applies the judge of the case if logins and control steps succeeded.
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
