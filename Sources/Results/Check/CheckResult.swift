package import LineProtocol

/// The result of a single check.
package struct CheckResult: Sendable {
    package var id: CheckID
    /// The requirement that is checked.
    package var claim: String
    package var level: RequirementLevel
    /// The clause of the specification that contains the requirement; nil if none is cited.
    package var clause: Clause?
    /// The dialect setting that contains the requirement.
    package var basis: String
    /// Distinct classes of the server's behaviour in the cases; empty if the check's oracles do not
    /// classify behaviour.
    package var classes: [String] = []
    /// The class that was read from a results file.
    package var classOfFile: CheckClass?
    /// Classes from runs other than the deciding one.
    package var otherClasses: [CheckClass] = []
    /// Location of `basis` in the dialect file.
    package var basisLocation: BasisLocation?
    package var verdict: Verdict
    /// The reason for the verdict on one line, or the class of the observed behaviour.
    package var reason: String
    /// The problem found; nil if there is none.
    package var finding: Finding?
    /// Title of the deciding case, such as `with 0 to 1 arguments`.
    package var caseTitle: String
    /// The lines sent in the deciding case, in scenario syntax.
    package var stimulus: [String]
    /// The smallest scenario that still fails.
    package var scenario: String?
    /// Path to which that scenario was written.
    package var scenarioPath: String?
    /// The segmentation that `run` must use to reproduce the failure.
    package var segmentation: Segmentation
    /// Transcript of the last run of the deciding case.
    package var transcript: [TranscriptEntry]
    /// Number of runs and failures of the deciding case.
    package var rate: FailureRate?
    package var casesRun: Int
    /// True if the verdict depends on a timeout.
    package var isTimingBased: Bool
    /// True if the check is inconclusive because no connection could be made.
    package var isUnreachable: Bool
    /// Duration in nanoseconds.
    package var duration: Int64

    /// Creates a result with only an ID, a verdict and a reason, such as that of a check that does
    /// not apply.
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
        casesRun = 0
        isTimingBased = false
        isUnreachable = false
        duration = 0
    }
}

/// A location in a dialect file. Lines and columns count from 1.
package struct BasisLocation: Sendable, Hashable, Codable {
    package var file: String
    package var line: Int
    /// Column of the first character.
    package var column: Int
    /// Column after the last character, on the same line.
    package var endColumn: Int

    package init(file: String, line: Int, column: Int, endColumn: Int) {
        self.file = file
        self.line = line
        self.column = column
        self.endColumn = endColumn
    }
}
