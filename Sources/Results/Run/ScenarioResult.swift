package import Diagnostics

/// What came of one scenario, played with one segmentation.
package struct ScenarioResult: Sendable, Equatable {
    /// The file as it was given or found; `-` for standard input.
    package var path: String
    /// Its `title`, or the file's name.
    package var title: String
    /// Its `tags`.
    package var tags: [String]
    /// How what was sent was divided into writes.
    package var segmentation: Segmentation
    /// The dialect's name; empty where none was found.
    package var dialect: String
    /// What is said of it.
    package var verdict: Verdict
    /// Why, in a line of its own; empty where all is well.
    package var reason: String
    /// The line (from 1) of the step that decided it, if one did.
    package var line: Int?
    /// What is to be said about it: of the last attempt, and warnings about the file.
    package var diagnostics: [Diagnostic]
    /// The rules behind it.
    package var rules: [CitedRule]
    /// Every line sent and received in the last attempt, secrets masked.
    package var transcript: [TranscriptEntry]
    /// How often it was played: more than once after a failure with retries, 0 if never.
    package var attempts: Int
    /// How long the last attempt took, in nanoseconds.
    package var duration: Int64
    /// How many steps were played in the last attempt.
    package var stepsPlayed: Int
    /// Whether something could only be decided by waiting.
    package var isTimingBased: Bool
    /// Whether it is inconclusive because no connection to the server could be made.
    package var isUnreachable: Bool
    /// The last lines of the server under test, where one was started for this file and it is of
    /// interest; bytes as they came.
    package var serverOutput: [UInt8]

    /// A result of a scenario that was not played yet: everything else is set later.
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
        line = nil
        transcript = []
        attempts = 0
        duration = 0
        stepsPlayed = 0
        isTimingBased = false
        isUnreachable = false
        serverOutput = []
    }
}
