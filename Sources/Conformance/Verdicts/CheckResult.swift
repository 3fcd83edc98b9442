public import LineProtocol
public import Session

/// What is said of one check in the end.
public enum CheckVerdict: String, Sendable, Hashable, CaseIterable, Codable {
    /// The claim holds.
    case passed
    /// It does not, time after time.
    case failed
    /// It holds, but answers were held back.
    case delayed
    /// It could not be told.
    case inconclusive
    /// It does not hold every time.
    case flaky
    /// The dialect leaves it open; what the server does is told.
    case observed
    /// The check does not apply to the dialect.
    case skipped
    /// It does not hold, as it is known of this software.
    case knownFailure
}

/// What came of one check.
public struct CheckResult: Sendable {
    /// Its name.
    public var id: CheckID
    /// What must hold.
    public var claim: String
    /// How binding that is.
    public var level: RequirementLevel
    /// The clause that says so.
    public var clause: Clause?
    /// Where the dialect says so.
    public var basis: String
    /// What the server did in each case, in the words of a class, each word once; empty where the oracles
    /// of a check have none.
    public var classes: [String] = []
    /// What a results file says that the server did.
    public var classOfFile: CheckClass?
    /// The classes of plays beside the one that decided.
    public var otherClasses: [CheckClass] = []
    /// Where that stands in the dialect's file.
    public var basisPlace: BasisPlace?
    /// What is said of it.
    public var verdict: CheckVerdict
    /// Why, in a line; the class of what was observed.
    public var reason: String
    /// What is wrong, where something is.
    public var finding: Finding?
    /// The case that decided it: `with 0 to 1 arguments`.
    public var caseTitle: String
    /// What was sent that led to it, as the scenario says it.
    public var stimulus: [String]
    /// The smallest scenario that still fails.
    public var scenario: String?
    /// Where that was written.
    public var scenarioPath: String?
    /// How `run` has to divide what is sent, if not as usual.
    public var segmentation: Segmentation
    /// The last play of the case that decided it.
    public var transcript: [TranscriptEntry]
    /// How often the case that decided it was played, and failed.
    public var rate: FailureRate?
    /// How many cases were played.
    public var casesPlayed: Int
    /// Whether silence had to decide.
    public var isTimingBased: Bool
    /// Whether it is inconclusive because no connection could be made.
    public var isUnreachable: Bool
    /// How long it took, in nanoseconds.
    public var duration: Int64

    /// A result of a check that was not played yet.
    init(_ check: Check, _ verdict: CheckVerdict = .passed, reason: String = "") {
        self.init(check.id, verdict, reason: reason)
        claim = check.claim
        level = check.level
        clause = check.clause
        basis = check.basis
        basisPlace = check.basisPlace
    }

    /// A result of which no more is said yet, as of a row that does not apply.
    public init(_ id: CheckID, _ verdict: CheckVerdict, reason: String) {
        self.id = id
        self.verdict = verdict
        self.reason = reason
        claim = ""
        level = .policy
        basis = ""
        caseTitle = ""
        stimulus = []
        segmentation = .whole
        transcript = []
        casesPlayed = 0
        isTimingBased = false
        isUnreachable = false
        duration = 0
    }
}

/// A place in the file of a dialect, in lines and columns from 1.
public struct BasisPlace: Sendable, Hashable, Codable {
    /// The file.
    public var file: String
    /// The line.
    public var line: Int
    /// Where the setting begins.
    public var column: Int
    /// Behind its end, in the same line.
    public var endColumn: Int

    /// A place from its parts.
    public init(file: String, line: Int, column: Int, endColumn: Int) {
        self.file = file
        self.line = line
        self.column = column
        self.endColumn = endColumn
    }
}
