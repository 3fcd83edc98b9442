package import LineProtocol

/// The result of a single check: its verdict, and the evidence for it.
package struct CheckResult: Sendable {
    package var id: CheckID
    package var claim: String
    package var level: RequirementLevel
    /// The specification clause that contains the requirement; nil if none is cited.
    package var clause: Clause?
    /// The dialect setting that the requirement is based on.
    package var basis: String
    /// Distinct classes of the server's behaviour in the check's cases; empty if the check's
    /// oracles do not classify behaviour.
    package var classes: [String] = []
    /// The class read from a results file; nil for results of this run.
    package var classOfFile: CheckClass?
    /// Classes from runs other than the deciding one.
    package var otherClasses: [CheckClass] = []
    /// Location of `basis` in the dialect file; nil if unknown.
    package var basisLocation: BasisLocation?
    package var verdict: Verdict
    /// The reason for the verdict, in one line, or the class of the observed behaviour.
    package var reason: String
    /// The problem found; nil if there is none.
    package var finding: Finding?
    /// Title of the deciding case, such as `with 0 to 1 arguments`.
    package var caseTitle: String
    /// The lines sent in the deciding case, in scenario syntax.
    package var stimulus: [String]
    /// The smallest scenario that still fails; nil if there is none.
    package var scenario: String?
    /// Path of the file containing `scenario`; nil if no file was written.
    package var scenarioPath: String?
    /// True if `scenario` passes in `run` although the check failed, because expectations cannot
    /// express the failure.
    package var scenarioPasses = false
    /// The segmentation that reproduces the failure with `run`.
    package var segmentation: Segmentation
    /// Transcript of the last run of the deciding case.
    package var transcript: [TranscriptEntry]
    /// Run and failure counts of the deciding case; nil if the case was not repeated.
    package var rate: FailureRate?
    package var casesRun: Int
    /// True if the verdict depends on a timeout.
    package var isTimingBased: Bool
    /// True if the check is inconclusive because no connection could be made.
    package var isUnreachable: Bool
    /// Duration in nanoseconds.
    package var duration: Int64

    /// Reason given for checks that were not run, or not completed, because of `--budget`.
    package static let outOfTime = "not run: out of time (--budget)"

    /// True if the check was not run, or not completed, because of `--budget`.
    package var isOutOfTime: Bool { verdict == .skipped && reason == Self.outOfTime }

    /// Creates a result with only an ID, a verdict and a reason, for example for a check that does
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

/// A location in a dialect file. Line and column numbers start at 1.
package struct BasisLocation: Sendable, Hashable, Codable {
    package var file: String
    package var line: Int
    /// Column of the first character.
    package var column: Int
    /// Column after the last character. The location never spans several lines.
    package var endColumn: Int

    package init(file: String, line: Int, column: Int, endColumn: Int) {
        self.file = file
        self.line = line
        self.column = column
        self.endColumn = endColumn
    }
}
