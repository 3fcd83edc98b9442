package import LineProtocol

/// What came of one check.
package struct CheckResult: Sendable {
    /// Its name.
    package var id: CheckID
    /// What must hold.
    package var claim: String
    /// How binding that is.
    package var level: RequirementLevel
    /// The clause that says so.
    package var clause: Clause?
    /// Where the dialect says so.
    package var basis: String
    /// What the server did in each case, in the words of a class, each word once; empty where the oracles
    /// of a check have none.
    package var classes: [String] = []
    /// What a results file says that the server did.
    package var classOfFile: CheckClass?
    /// The classes of plays beside the one that decided.
    package var otherClasses: [CheckClass] = []
    /// Where that stands in the dialect's file.
    package var basisPlace: BasisLocation?
    /// What is said of it.
    package var verdict: Verdict
    /// Why, in a line; the class of what was observed.
    package var reason: String
    /// What is wrong, where something is.
    package var finding: Finding?
    /// The case that decided it: `with 0 to 1 arguments`.
    package var caseTitle: String
    /// What was sent that led to it, as the scenario says it.
    package var stimulus: [String]
    /// The smallest scenario that still fails.
    package var scenario: String?
    /// Where that was written.
    package var scenarioPath: String?
    /// How `run` has to divide what is sent, if not as usual.
    package var segmentation: Segmentation
    /// The last play of the case that decided it.
    package var transcript: [TranscriptEntry]
    /// How often the case that decided it was played, and failed.
    package var rate: FailureRate?
    /// How many cases were played.
    package var casesPlayed: Int
    /// Whether silence had to decide.
    package var isTimingBased: Bool
    /// Whether it is inconclusive because no connection could be made.
    package var isUnreachable: Bool
    /// How long it took, in nanoseconds.
    package var duration: Int64

    /// A result of which no more is said yet, as of a row that does not apply.
    package init(_ id: CheckID, _ verdict: Verdict, reason: String) {
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
package struct BasisLocation: Sendable, Hashable, Codable {
    /// The file.
    package var file: String
    /// The line.
    package var line: Int
    /// Where the setting begins.
    package var column: Int
    /// Behind its end, in the same line.
    package var endColumn: Int

    /// A place from its parts.
    package init(file: String, line: Int, column: Int, endColumn: Int) {
        self.file = file
        self.line = line
        self.column = column
        self.endColumn = endColumn
    }
}
