import DialectModel
package import LineProtocol
package import Results

/// A check: a requirement for the server, with the cases that test it.
package struct Check: Sendable {
    package var id: CheckID
    /// The requirement in words, such as `JOIN with too few arguments is refused`.
    package var claim: String
    /// Level of the requirement, such as must or may. It determines the exit status if the
    /// requirement is violated.
    package var level: RequirementLevel
    /// The specification clause that the dialect cites for the requirement; nil if there is none.
    package var clause: Clause?
    /// The dialect setting that the requirement is based on, such as `tolerance.too-few: reject`.
    package var basis: String
    /// Position of the `basis` setting in the dialect file, or of the setting that contains it; nil
    /// if the file contains neither.
    package var basisLocation: BasisLocation?
    /// Features that a server must support for the check to apply.
    package var needs: [OfferedName] = []
    /// True if the check must run alone, because it delays other checks or measures shared
    /// resources.
    var isAlone = false
    /// True if the check sends more lines than a server that throttles clients would read in time.
    var floods = false
    /// True if the check takes many seconds on some servers, so that it should start first.
    var isLong = false
    /// Reason the check runs only with `--slow`, such as `it waits for 45 s`; nil if it always
    /// runs.
    var slowReason: String?
    /// Function that creates the cases, with new names on each call.
    var makeCases: @Sendable (inout CaseMaker) -> [CheckCase]

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - setting: The dialect setting that the requirement is based on. If the dialect cites a
    ///     clause for the setting, and `level` is nil, the clause determines the level.
    ///   - word: The setting's value, shown in reports; `?` if the dialect leaves it unspecified.
    ///     Nil to show only the setting.
    init(
        _ id: CheckID, _ claim: String, setting: String, says word: String? = nil,
        in subject: Subject,
        level: RequirementLevel? = nil,
        cases: @escaping @Sendable (inout CaseMaker) -> [CheckCase]
    ) {
        self.id = id
        self.claim = claim
        clause = subject.clause(for: setting)
        self.level = level ?? clause?.level ?? .policy
        basis = word.map { "\(setting): \($0)" } ?? setting
        basisLocation = subject.location(of: setting)
        makeCases = cases
    }

    /// Returns the check, restricted to servers that support the features that these behaviours
    /// need.
    func needing(_ behaviours: [String], _ subject: Subject) -> Check {
        var check = self
        for need in behaviours.flatMap({ subject.bound[$0]?.needs ?? [] })
        where !check.needs.contains(need) {
            check.needs.append(need)
        }
        return check
    }

    /// The title and citation for scenarios of the check's cases.
    var heading: CaseHeading {
        CaseHeading(id: id, claim: claim, level: level, clause: clause)
    }

    /// Returns the cases for one run.
    package func cases(_ subject: Subject, seed: UInt64) -> [CheckCase] {
        var maker = CaseMaker(subject, id: id, seed: seed)
        return makeCases(&maker)
    }
}

/// An entry of the catalogue: a check, or a rule that does not apply to the dialect.
package enum CatalogueEntry: Sendable {
    case check(Check)
    /// A rule that does not apply to the dialect, with the reason.
    case notApplicable(CheckID, reason: String)

    package var id: CheckID {
        switch self {
        case .check(let check): check.id
        case .notApplicable(let id, _): id
        }
    }
}

/// A rule that generates checks from a dialect. To add one, see docs/check.md.
protocol CheckFamily: Sendable {
    /// Name of the rule, such as `arity.few`.
    static var ruleID: String { get }
    /// Returns an entry for each of the rule's checks, or an entry with the reason there are none.
    static func entries(_ subject: Subject) -> [CatalogueEntry]
}

extension CheckFamily {
    /// Returns the entry for a rule that does not apply.
    static func notApplicable(_ reason: String) -> [CatalogueEntry] {
        [.notApplicable(CheckID(ruleID), reason: reason)]
    }
}

extension CheckResult {
    /// Creates a result for a check that did not run.
    init(_ check: Check, _ verdict: Verdict = .passed, reason: String = "") {
        self.init(check.id, verdict, reason: reason)
        claim = check.claim
        level = check.level
        clause = check.clause
        basis = check.basis
        basisLocation = check.basisLocation
    }
}
