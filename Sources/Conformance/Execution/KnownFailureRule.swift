import LineProtocol
import Results
import Scenario

/// A known failure that a dialect declares, matched against check ids.
struct KnownFailureRule {
    private let known: KnownFailure

    init(_ known: KnownFailure) { self.known = known }

    func applies(to id: CheckID, _ options: CheckOptions) -> Bool {
        let names = [id.description, id.rule]
        guard names.contains(CheckID.current(known.check)) || id.rule.hasPrefix(known.check + ".")
        else {
            return false
        }
        if let until = known.until.flatMap({ CalendarDate($0) }), let today = options.today,
            today > until
        {
            return false
        }
        // If the version is unknown, the user's choice of profile counts as a match.
        guard let range = known.versions.flatMap({ VersionRange($0) }),
            let version = options.software?.version
        else { return true }
        return range.contains(version)
    }
}
