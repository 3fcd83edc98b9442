import Results
import Session

/// A failed check that has not been confirmed yet.
struct Failure: Sendable {
    let result: CheckResult
    let check: Check
    let failed: CaseOutcome
    let finding: Finding

    init?(_ result: CheckResult, _ check: Check, _ failed: CaseOutcome) {
        guard let finding = failed.finding else { return nil }
        self.result = result
        self.check = check
        self.failed = failed
        self.finding = finding
    }

    /// The key that groups failures with the same probable cause.
    struct Cause: Hashable {
        /// The rule; nil if the kind of finding alone determines the cause.
        var rule: String?
        var kind: String
    }

    var cause: Cause {
        Cause(rule: finding.kind == StaleSession.kind ? nil : check.id.rule, kind: finding.kind)
    }

    /// How long the failed case ran, in nanoseconds.
    var duration: Int64 { failed.result.duration }

    /// Kinds of findings whose cause may also affect other clients, or that are measurements of the
    /// server's speed or resource use.
    private static let disturbingKinds: Set<String> = [
        "wedged", "held-up", "spins", "memory", "leak",
    ]

    /// True if repeating the failure may disturb other cases that run at the same time, or if those
    /// cases may change its outcome.
    var isDisturbing: Bool { check.isAlone || Self.disturbingKinds.contains(finding.kind) }

    /// True if each repetition can have a server of its own, while other servers run: the finding
    /// is neither a measurement nor from a check that runs alone.
    var isIsolable: Bool { !check.isAlone && finding.kind == "wedged" }
}
