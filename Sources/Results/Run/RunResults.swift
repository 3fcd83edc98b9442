package import Diagnostics
package import LineProtocol

/// Everything that a run found: the one value that every report is made from.
package struct RunResults: Sendable, Equatable {
    /// The name and version of the form in which it is written to a file.
    package static let schema = "linejudge.run/1"

    /// The version of Linejudge that played.
    package var toolVersion: String
    /// What everything random in the run was derived from.
    package var seed: UInt64
    /// The server.
    package var server: ServerDescription
    /// When it began, in seconds of Unix time.
    package var startedAt: Int64
    /// How long it took, in nanoseconds.
    package var duration: Int64
    /// The scenarios, in the order in which they were selected.
    package var scenarios: [ScenarioResult]
    /// What is to be said about the run itself, and no scenario.
    package var diagnostics: [Diagnostic]
    /// What ended it early, if something did.
    package var interruption: Interruption?
    /// X: how the lines of all plays stood to the command tables of their dialects; empty if nobody looked.
    package var commandTables: [CommandTable] = []
    /// Whether lines of a server that break them fail the run.
    package var brokenLinesFail = false

    /// What became of the lines of one dialect.
    package struct CommandTable: Sendable, Hashable {
        /// The dialect's name, with its profile.
        package var dialect: String
        /// What was found.
        package var report: SchemaReport

        /// A table from its parts.
        package init(dialect: String, report: SchemaReport) {
            self.dialect = dialect
            self.report = report
        }
    }

    /// How many lines of servers broke their dialects.
    package var brokenLines: Int { commandTables.reduce(0) { $0 + $1.report.brokenLines } }

    /// Results from their parts.
    package init(
        toolVersion: String, seed: UInt64, server: ServerDescription, startedAt: Int64,
        duration: Int64 = 0, scenarios: [ScenarioResult] = [], diagnostics: [Diagnostic] = [],
        interruption: Interruption? = nil
    ) {
        self.toolVersion = toolVersion
        self.seed = seed
        self.server = server
        self.startedAt = startedAt
        self.duration = duration
        self.scenarios = scenarios
        self.diagnostics = diagnostics
        self.interruption = interruption
    }

    /// How many scenarios there are of each verdict.
    package var counts: VerdictCounts { VerdictCounts(scenarios.lazy.map(\.verdict)) }
}

extension RunResults {
    /// What the process says about these results.
    ///
    /// An interruption is said before all else, because the results are not whole. Of the rest a
    /// failure is said first: it is a fact about the server, whatever else could not be found out.
    package var exitCode: ExitCode {
        switch interruption {
        case .interrupted: return .interrupted
        case .terminated: return .terminated
        case .failFast, nil: break
        }
        let counts = counts
        if counts[.failed] > 0 || brokenLinesFail && brokenLines > 0 { return .failed }
        if counts[.error] > 0 { return .unparsable }
        if counts[.inconclusive] > 0 {
            let undecided = scenarios.filter { $0.verdict == .inconclusive }
            let isUnreachable = counts.decided == 0 && undecided.allSatisfy(\.isUnreachable)
            return isUnreachable ? .unavailable : .inconclusive
        }
        return counts.decided > 0 ? .ok : .inconclusive
    }
}

/// The server that was judged.
package struct ServerDescription: Sendable, Hashable, Codable {
    /// Where it listens, as it was given: `tcp://127.0.0.1:6667`; empty where each file starts its own.
    package var endpoint: String
    /// Its software's name, as given by `--software`.
    package var software: String?
    /// Its version.
    package var version: String?
    /// The command that started it, if we did.
    package var command: String?

    /// A server by where it listens and what it is.
    package init(
        endpoint: String, software: String? = nil, version: String? = nil, command: String? = nil
    ) {
        self.endpoint = endpoint
        self.software = software
        self.version = version
        self.command = command
    }
}

/// What can end a run early.
package enum Interruption: String, Sendable, Hashable, Codable {
    /// SIGINT: somebody pressed control-C.
    case interrupted
    /// SIGTERM: somebody asked us to end.
    case terminated
    /// A scenario failed, and no more was wanted after the first failure.
    case failFast
}
