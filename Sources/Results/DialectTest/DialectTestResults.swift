package import LineProtocol

/// Results of testing a dialect against a server.
package struct DialectTestResults: Sendable {
    /// The version of Linejudge that ran the tests.
    package var toolVersion: String
    package var seed: UInt64
    package var server: ServerDescription
    /// Name of the dialect, including its profile.
    package var dialect: String
    /// The tests, in the order in which they ran.
    package var tests: [Test] = []
    /// Result of checking all received lines against the dialect's command table.
    package var commandTable = SchemaReport()
    /// The server's lines with unknown commands, one for each command.
    package var undescribed: [UndescribedCommand] = []
    /// Important standard behaviours that the dialect does not declare.
    package var undeclared: [String] = []
    /// Reason the tests ended early; nil if they did not end early.
    package var interruption: Interruption?
    /// Duration in nanoseconds.
    package var duration: Int64 = 0

    package init(
        toolVersion: String, seed: UInt64, server: ServerDescription, dialect: String
    ) {
        self.toolVersion = toolVersion
        self.seed = seed
        self.server = server
        self.dialect = dialect
    }

    /// The test of one behaviour, or of several that belong together.
    package struct Test: Sendable {
        /// Names of the behaviours, or a description such as `connect`.
        package var title: String
        /// `passed` if the behaviours hold, `skipped` if they are not applicable or could not be
        /// tested.
        package var verdict: Verdict
        /// Explanation of the verdict in one line; may be empty.
        package var note: String
        /// Result of the generated scenario; nil if it did not run.
        package var result: ScenarioResult?

        package init(
            _ title: String, _ verdict: Verdict, note: String = "", result: ScenarioResult? = nil
        ) {
            self.title = title
            self.verdict = verdict
            self.note = note
            self.result = result
        }
    }

    /// A command in lines from the server that the dialect does not describe.
    package struct UndescribedCommand: Sendable, Hashable {
        /// The violation, with the number of lines and the first of them.
        package var deviation: SchemaReport.Deviation
        /// The change to the dialect that describes the command: a line for `commands:`, or advice.
        package var suggestion: String

        package init(_ deviation: SchemaReport.Deviation, suggestion: String) {
            self.deviation = deviation
            self.suggestion = suggestion
        }
    }

    package func count(_ verdict: Verdict) -> Int { tests.count { $0.verdict == verdict } }
}

extension DialectTestResults {
    /// Title of the first test, which only connects.
    package static let connect = "connect"

    /// The exit code of the process. An interruption takes precedence over failures, and a failure
    /// over inconclusive tests.
    package var exitCode: ExitCode {
        switch interruption {
        case .interrupted: return .interrupted
        case .terminated: return .terminated
        case .failFast, .unfinished, nil: break
        }
        if count(.failed) > 0 || commandTable.brokenLines > 0 { return .failed }
        if tests.first?.result?.isUnreachable == true { return .unavailable }
        let isAnyTested = tests.dropFirst().contains { $0.verdict == .passed }
        return count(.inconclusive) == 0 && isAnyTested ? .ok : .inconclusive
    }
}
