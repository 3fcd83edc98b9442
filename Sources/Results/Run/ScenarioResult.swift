package import Diagnostics

/// The result of running one scenario with one segmentation.
package struct ScenarioResult: Sendable, Equatable {
    /// Path of the scenario as given or found; `-` for standard input.
    package var path: String
    /// The scenario's `title`, or its file name if it has no title.
    package var title: String
    package var tags: [String]
    /// Number of the scenario's data row, starting at 1; nil if the scenario has no data. The title
    /// contains the number.
    package var row: Int?
    package var segmentation: Segmentation
    /// Name of the dialect; empty if it could not be determined.
    package var dialect: String
    /// Path of the dialect file; nil if none was found.
    package var dialectFile: String?
    package var verdict: Verdict
    /// The reason for the verdict, in one line; empty if the scenario passed.
    package var reason: String
    /// Line number of the step that decided the outcome, starting at 1; nil if there is none.
    package var line: Int?
    /// Diagnostics from the last attempt, and warnings about the file.
    package var diagnostics: [Diagnostic]
    /// The specification rules that the scenario's header cites.
    package var rules: [CitedRule]
    /// All lines sent and received in the last attempt, with secrets masked.
    package var transcript: [TranscriptEntry]
    /// The part of the transcript that shows why the scenario did not pass; nil if unknown.
    package var focus: TranscriptFocus?
    /// Number of attempts: 0 if the scenario was not run, more than 1 if it was retried.
    package var attempts: Int
    /// Duration of the last attempt in nanoseconds.
    package var duration: Int64
    /// Number of steps that were run in the last attempt.
    package var stepsRun: Int
    /// True if the verdict depends on a timeout.
    package var isTimingBased: Bool
    /// True if the scenario is inconclusive because no connection could be made.
    package var isUnreachable: Bool
    /// The end of the server's output, if Linejudge started the server and the scenario did not
    /// pass; otherwise empty.
    package var serverOutput: [UInt8]

    /// Creates the result of a scenario that has not been run.
    package init(
        path: String, title: String, tags: [String] = [], segmentation: Segmentation = .whole,
        dialect: String = "", verdict: Verdict, reason: String = "",
        diagnostics: [Diagnostic] = [], rules: [CitedRule] = []
    ) {
        self.path = path
        self.title = title
        self.tags = tags
        self.segmentation = segmentation
        self.dialect = dialect
        self.verdict = verdict
        self.reason = reason
        self.diagnostics = diagnostics
        self.rules = rules
        row = nil
        dialectFile = nil
        line = nil
        transcript = []
        focus = nil
        attempts = 0
        duration = 0
        stepsRun = 0
        isTimingBased = false
        isUnreachable = false
        serverOutput = []
    }

    /// The last error, if it is located in a dialect behaviour, such as the login, rather than in
    /// the scenario; otherwise nil.
    package var dialectError: Diagnostic? {
        let error = diagnostics.last { $0.severity == .error }
        guard let dialectFile, error?.location?.source.path == dialectFile else { return nil }
        return error
    }
}
