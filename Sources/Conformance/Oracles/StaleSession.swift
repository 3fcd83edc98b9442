import DialectModel
import Diagnostics
import LineProtocol
import Results
import Session

/// Stale-session check: after a close, a name must become free again within a time limit.
enum StaleSession {
    /// Time limit in seconds.
    static let secondsMax = 5
    /// Kind of finding that this check reports.
    static let kind = "stale-session"

    /// Returns a failure if the name did not become free in time; nil otherwise.
    static func judge(_ evidence: Evidence) -> Judgement? {
        guard evidence.result.outcome == .failed, let step = evidence.decidingStep,
            evidence.testCase.steps[step].asksForName
        else { return nil }
        return .failed(
            Finding(
                kind, expected: "the name is free within \(secondsMax) s",
                got: evidence.result.diagnostic?.message ?? "it is not free"))
    }
}

extension Subject {
    /// True if a successful login shows that its name was free. It does not if the login sends no
    /// name, or if a second login takes over a name in use.
    var reportsFreeNames: Bool {
        guard let login = bound["login"] else { return false }
        return login.takes("name") && login.uses(variable: "name")
            && dialect.policies["second-login"] != "replace"
    }
}
