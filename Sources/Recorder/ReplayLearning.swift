package import DialectModel
package import Diagnostics
import LineProtocol
import Results
import Scenario
package import Session
package import Transcript
package import SessionTransport
package import Transport

/// Plays a recorded scenario until it is green: what differs between plays is made a hole.
package struct ReplayLearning: Sendable {
    /// How often the loose text is played to see what varies.
    package static let playsToCompare = 2
    /// How many expectations are loosened one by one afterwards before it is given up.
    package static let loosenedMax = 50

    /// Lines that come unasked are worth keeping where they come each time, and short values are taken
    /// for identifiers only where it does not work without.
    private static let attempts = [(false, false), (false, true), (true, false), (true, true)]

    private let driver: SessionDriver
    private let endpoint: Endpoint
    private let dialect: BoundDialect
    private let play: ExecutionOptions

    /// - Parameters:
    ///   - driver: what plays.
    ///   - endpoint: the server that was recorded.
    ///   - play: variables (the secrets among them) and time limits.
    package init(
        _ driver: SessionDriver, at endpoint: Endpoint, dialect: BoundDialect,
        play: ExecutionOptions
    ) {
        self.driver = driver
        self.endpoint = endpoint
        self.dialect = dialect
        self.play = play
    }

    /// The scenario after its plays.
    package struct Outcome: Sendable {
        /// The scenario's text.
        package var text: String
        /// How many plays of this very text have passed.
        package var plays: Int
        /// Why it does not pass; nil if it does.
        package var failure: Diagnostic?
    }

    /// Plays and mends until the text passes, or says why it does not.
    ///
    /// - Parameter conversation: what was recorded.
    package func learn(
        _ conversation: Conversation, options: ScenarioDraft.Options
    ) async throws(Diagnosed) -> Outcome {
        var failure: Diagnostic?
        var first: String?
        for (dropsUnasked, relatesShortValues) in Self.attempts {
            var options = options
            options.dropsUnasked = dropsUnasked
            options.relatesShortValues = relatesShortValues
            var draft = try ScenarioDraft(
                conversation, dialect: dialect, options: options)
            if first == nil { first = draft.text() }
            var transcripts: [[TranscriptEntry]] = []
            while transcripts.count < Self.playsToCompare {
                let result = try await played(draft.text(isLoose: true))
                guard result.outcome == .passed else {
                    failure = result.diagnostic
                    break
                }
                transcripts.append(result.transcript)
            }
            guard transcripts.count == Self.playsToCompare else { continue }
            draft.learn(from: transcripts)
            let outcome = try await tightened(&draft)
            if outcome.failure == nil { return outcome }
            failure = outcome.failure
        }
        return Outcome(text: first ?? "", plays: 0, failure: failure)
    }

    /// Plays the strict text; an expectation that still fails is loosened.
    private func tightened(_ draft: inout ScenarioDraft) async throws(Diagnosed) -> Outcome {
        for _ in 0..<Self.loosenedMax {
            let text = draft.text()
            let result = try await played(text)
            if result.outcome == .passed { return Outcome(text: text, plays: 1, failure: nil) }
            guard let line = result.line, draft.loosen(line: line) else {
                return Outcome(text: text, plays: 0, failure: result.diagnostic)
            }
        }
        return Outcome(text: draft.text(), plays: 0, failure: nil)
    }

    private func played(_ text: String) async throws(Diagnosed) -> ScenarioOutcome {
        let source = SourceText(path: "recorded.chat", text: text)
        let file = try ScenarioParser.file(from: source)
        let program = try ProgramCompiler.compile(
            file, with: dialect, given: Set(play.variables.keys))
        return await driver.play(program, options: play, at: endpoint).result
    }
}
