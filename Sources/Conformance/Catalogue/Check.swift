package import LineProtocol
package import Results

/// One question to a server, with the cases that answer it.
package struct Check: Sendable {
    /// What it is called.
    package var id: CheckID
    /// What must hold, in a sentence: `JOIN with too few arguments is refused`.
    package var claim: String
    /// How binding that is.
    package var level: RequirementLevel
    /// The clause that says so, if the dialect cites one.
    package var clause: Clause?
    /// Where the dialect says so: `tolerance.too-few: reject`.
    package var basis: String
    /// Where that stands in the dialect's file, or what it would be a part of.
    package var basisPlace: BasisLocation?
    /// Whether it is played when nothing else is: it holds up others, or counts what all use.
    var isAlone = false
    /// Why it is only played when slow checks are asked for: `it waits for 45 s`.
    var slowReason: String?
    /// The cases, made anew for each play, so that no two plays use the same names.
    var makeCases: @Sendable (inout CaseMaker) -> [CheckCase]

    /// A check.
    ///
    /// - Parameter rule: the dialect's setting that the claim follows from; a clause that is cited for it
    ///   gives the level.
    init(
        _ id: CheckID, _ claim: String, rule: String, says word: String? = nil, in subject: Subject,
        level: RequirementLevel? = nil,
        cases: @escaping @Sendable (inout CaseMaker) -> [CheckCase]
    ) {
        self.id = id
        self.claim = claim
        clause = subject.clause(for: rule)
        self.level = level ?? clause?.level ?? .policy
        basis = word.map { "\(rule): \($0)" } ?? rule
        basisPlace = subject.place(of: rule)
        makeCases = cases
    }

    /// The cases of one play.
    package func cases(_ subject: Subject, seed: UInt64) -> [CheckCase] {
        var maker = CaseMaker(subject, check: self, seed: seed)
        return makeCases(&maker)
    }
}

/// A line of the catalogue for one dialect.
package enum CatalogueEntry: Sendable {
    case check(Check)
    /// A row that says nothing about this dialect, and why.
    case notApplicable(CheckID, reason: String)

    /// Its name.
    package var id: CheckID {
        switch self {
        case .check(let check): check.id
        case .notApplicable(let id, _): id
        }
    }
}

/// Checks of one row: what they are for a dialect. To add one, see docs/check.md.
protocol CheckFamily: Sendable {
    /// The row's name.
    static var row: String { get }
    /// The checks of the row, or why there are none.
    static func entries(_ subject: Subject) -> [CatalogueEntry]
}

extension CheckFamily {
    /// The row says nothing about the dialect.
    static func notApplicable(_ reason: String) -> [CatalogueEntry] {
        [.notApplicable(CheckID(row), reason: reason)]
    }
}

extension CheckResult {
    /// A result of a check that was not played yet.
    init(_ check: Check, _ verdict: Verdict = .passed, reason: String = "") {
        self.init(check.id, verdict, reason: reason)
        claim = check.claim
        level = check.level
        clause = check.clause
        basis = check.basis
        basisPlace = check.basisPlace
    }
}
