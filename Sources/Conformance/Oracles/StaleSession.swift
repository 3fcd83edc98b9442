import DialectModel
import Diagnostics
import LineProtocol
import Results
import Session

/// Stale-session check: after a close, the name becomes free again within a time limit.
enum StaleSession {
    /// Time limit in seconds.
    static let secondsMax = 5

    /// Judges whether the name could be used again; nil if something else failed.
    static func judge(_ evidence: Evidence) -> Judgement? {
        guard evidence.result.outcome == .failed, let step = evidence.decidingStep,
            evidence.testCase.steps[step].text.hasPrefix("name ")
        else { return nil }
        return .failed(
            Finding(
                "stale-session", expected: "the name is free again within 5 s",
                got: evidence.result.diagnostic?.message ?? "it is not free"))
    }
}

extension Subject {
    /// Whether a login shows that a name is free. It does not if logins have no names, or if a
    /// second login takes over the name.
    var reportsFreeNames: Bool {
        guard let login = bound["login"] else { return false }
        return login.takes("name") && login.uses(variable: "name")
            && dialect.policies["second-login"] != "replace"
    }
}
