package import Diagnostics
package import Results

/// What came of playing a scenario.
package struct ScenarioOutcome: Sendable {
    /// How it came out.
    package var outcome: Outcome
    /// What is to be said about it; nil if all is well.
    package var diagnostic: Diagnostic?
    /// The line (from 1) of the step that decided it, if one did.
    package var line: Int?
    /// Every line sent and received, in order, secrets masked.
    package var transcript: [TranscriptEntry]
    /// How many entries before those of ``transcript`` were left out, because there were too many.
    package var omittedEntries: Int
    /// Whether something could only be decided by waiting (a probe was not answered, or there is none).
    package var isTimingBased: Bool
    /// From start to end, in nanoseconds.
    package var duration: Int64
    /// How many steps were played.
    package var stepsPlayed: Int

    /// A result from its parts.
    package init(
        outcome: Outcome, diagnostic: Diagnostic? = nil, line: Int? = nil,
        transcript: [TranscriptEntry] = [], omittedEntries: Int = 0, isTimingBased: Bool = false,
        duration: Int64 = 0,
        stepsPlayed: Int = 0
    ) {
        self.outcome = outcome
        self.diagnostic = diagnostic
        self.line = line
        self.transcript = transcript
        self.omittedEntries = omittedEntries
        self.isTimingBased = isTimingBased
        self.duration = duration
        self.stepsPlayed = stepsPlayed
    }

    /// How a play came out.
    package enum Outcome: String, Sendable, Hashable {
        /// Every expectation was met.
        case passed
        /// An expectation was not met.
        case failed
        /// It could not be decided: no connection, or interrupted.
        case inconclusive
    }
}
