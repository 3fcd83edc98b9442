import Diagnostics
import Session

/// C: the plain form comes first; where it fails, nothing can be said of the claim.
enum Control {
    /// How the reason begins where nobody could log in, or come where the case is played.
    static let noLogin = "no login"

    /// What the case's own judge says, where logins and plain forms have worked.
    static func judge(_ evidence: inout Evidence) -> Judgement {
        let message = evidence.result.diagnostic?.message ?? ""
        switch (evidence.result.outcome, evidence.decidingRole) {
        case (.inconclusive, _): return .inconclusive(message)
        case (.failed, .setup): return .inconclusive("\(noLogin): \(message)")
        case (.failed, .control): return .inconclusive("the plain form fails: \(message)")
        case (.failed, nil): return .inconclusive(message)
        default: return evidence.play.judge(&evidence)
        }
    }
}
