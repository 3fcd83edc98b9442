import LineProtocol
import Results
import Scenario

/// Rule that matches a dialect's known failures to checks.
struct KnownFailureRule {
    private let known: KnownFailure

    init(_ known: KnownFailure) { self.known = known }

    func applies(to id: CheckID, _ options: CheckOptions) -> Bool {
        let names = [id.description, id.rule]
        guard names.contains(known.check) || id.rule.hasPrefix(known.check + ".") else {
            return false
        }
        if let until = known.until, let today = options.today, today > until { return false }
        // Without a version, the choice of profile decides.
        guard let range = known.versions.flatMap({ VersionRange($0) }),
            let version = options.software?.version
        else { return true }
        return range.contains(version)
    }
}
