package import Diagnostics
package import Results

/// The result of running a scenario.
package struct ScenarioOutcome: Sendable {
    package var outcome: Outcome
    /// Explanation of a failure; nil if the scenario passed.
    package var diagnostic: Diagnostic?
    /// Line of the step that decided the outcome, from 1; nil if no step decided it.
    package var line: Int?
    /// Index, in the scenario, of the step that decided the outcome, or of the block or `use` that
    /// contains it; nil if no step decided it.
    package var step: Int?
    /// The lines sent and received, in order, with secrets masked.
    package var transcript: [TranscriptEntry]
    /// The part of the transcript that shows why the scenario did not pass; nil if it passed.
    package var focus: TranscriptFocus?
    /// Number of earlier entries dropped because the transcript was too long.
    package var omittedEntries: Int
    /// True if the outcome depends on a time limit: a probe was not answered, the dialect has no
    /// probe, or a `<!` or `quiet` step has a time limit.
    package var isTimingBased: Bool
    /// Total duration in nanoseconds.
    package var duration: Int64
    package var stepsRun: Int

    package init(
        outcome: Outcome, diagnostic: Diagnostic? = nil, line: Int? = nil,
        step: Int? = nil, transcript: [TranscriptEntry] = [], focus: TranscriptFocus? = nil,
        omittedEntries: Int = 0,
        isTimingBased: Bool = false, duration: Int64 = 0, stepsRun: Int = 0
    ) {
        self.outcome = outcome
        self.diagnostic = diagnostic
        self.line = line
        self.step = step
        self.transcript = transcript
        self.focus = focus
        self.omittedEntries = omittedEntries
        self.isTimingBased = isTimingBased
        self.duration = duration
        self.stepsRun = stepsRun
    }

    /// The verdict of one scenario run.
    package enum Outcome: String, Sendable, Hashable {
        case passed
        case failed
        /// Neither passed nor failed, because there was no connection or the run was interrupted.
        case inconclusive
    }
}
