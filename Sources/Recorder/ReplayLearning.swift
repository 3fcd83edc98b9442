package import DialectModel
package import Diagnostics
import LineProtocol
import Results
import Scenario
package import Session
package import Transcript
package import SessionTransport
package import Transport

/// A learner that runs a recorded scenario repeatedly until it passes, and replaces values that
/// differ between runs with placeholders.
package struct ReplayLearning: Sendable {
    /// Number of runs to compare when searching for values that vary. These runs use a loose
    /// version of the scenario, which compares only commands.
    package static let runsToCompare = 2
    /// Maximum number of runs after the comparison. Each failed run loosens one step.
    package static let loosenedMax = 50

    /// Combinations of `dropsUnsolicited` and `relatesShortValues`, in the order they are tried.
    /// Unsolicited lines are kept if they arrive in every run. Short values are treated as
    /// identifiers only if the scenario would otherwise fail.
    private static let attempts = [(false, false), (false, true), (true, false), (true, true)]

    private let driver: SessionDriver
    private let endpoint: Endpoint
    private let dialect: BoundDialect
    private let execution: ExecutionOptions

    /// Creates a learner.
    ///
    /// - Parameters:
    ///   - driver: The driver that runs the scenarios.
    ///   - endpoint: The recorded server.
    ///   - execution: Variables (including secrets) and timeouts.
    package init(
        _ driver: SessionDriver, at endpoint: Endpoint, dialect: BoundDialect,
        execution: ExecutionOptions
    ) {
        self.driver = driver
        self.endpoint = endpoint
        self.dialect = dialect
        self.execution = execution
    }

    /// The result of replaying a draft and learning from it.
    package struct Outcome: Sendable {
        package var text: String
        /// The reason the scenario failed; nil if it passed.
        package var failure: Diagnostic?
    }

    /// Runs and changes the scenario until it passes or there is nothing left to change.
    ///
    /// - Parameter conversation: The recorded conversation.
    package func learn(
        _ conversation: Conversation, options: ScenarioDraft.Options
    ) async throws(Diagnosed) -> Outcome {
        var failure: Diagnostic?
        var first: String?
        for (dropsUnsolicited, relatesShortValues) in Self.attempts {
            var options = options
            options.dropsUnsolicited = dropsUnsolicited
            options.relatesShortValues = relatesShortValues
            var draft = try ScenarioDraft(
                conversation, dialect: dialect, options: options)
            if first == nil { first = draft.text() }
            var transcripts: [[TranscriptEntry]] = []
            while transcripts.count < Self.runsToCompare {
                let result = try await run(draft.text(isLoose: true))
                guard result.outcome == .passed else {
                    failure = result.diagnostic
                    break
                }
                transcripts.append(result.transcript)
            }
            guard transcripts.count == Self.runsToCompare else { continue }
            draft.learn(from: transcripts)
            let outcome = try await tightened(&draft)
            if outcome.failure == nil { return outcome }
            failure = outcome.failure
        }
        return Outcome(text: first ?? "", failure: failure)
    }

    /// Runs the scenario with all its comparisons, and loosens each expectation that fails.
    private func tightened(_ draft: inout ScenarioDraft) async throws(Diagnosed) -> Outcome {
        var loosened = 0
        while true {
            let text = draft.text()
            let result = try await run(text)
            if result.outcome == .passed { return Outcome(text: text, failure: nil) }
            guard loosened < Self.loosenedMax, let line = result.line, draft.loosen(line: line)
            else {
                return Outcome(text: text, failure: result.diagnostic)
            }
            loosened += 1
        }
    }

    private func run(_ text: String) async throws(Diagnosed) -> ScenarioOutcome {
        let source = SourceText(path: "recorded.chat", text: text)
        let file = try ScenarioParser.file(from: source)
        let program = try ProgramCompiler.compile(
            file, with: dialect, given: Set(execution.variables.keys))
        return await driver.run(program, options: execution, at: endpoint).result
    }
}
