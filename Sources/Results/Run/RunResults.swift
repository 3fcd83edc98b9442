package import Diagnostics
package import LineProtocol

/// Results of running scenarios. All reports are generated from this value.
package struct RunResults: Sendable, Equatable {
    package static let schema = "linejudge.run/2"

    /// The version of Linejudge that ran the scenarios.
    package var toolVersion: String
    package var seed: UInt64
    package var server: ServerDescription
    /// Start time in seconds since 1970.
    package var startedAt: Int64
    /// Duration in nanoseconds.
    package var duration: Int64
    /// The scenarios, in the order they were selected.
    package var scenarios: [ScenarioResult]
    /// Diagnostics about the run as a whole rather than individual scenarios.
    package var diagnostics: [Diagnostic]
    /// Reason the run ended early; nil if it did not end early.
    package var interruption: Interruption?
    /// Results of checking received lines against the command table of each dialect; empty if lines
    /// were not checked.
    package var commandTables: [CommandTable] = []
    /// True if lines that violate the command table cause the run to fail.
    package var brokenLinesFail = false

    /// Result of checking a dialect's lines against its command table.
    package struct CommandTable: Sendable, Hashable {
        /// Name of the dialect, including its profile.
        package var dialect: String
        package var report: SchemaReport

        package init(dialect: String, report: SchemaReport) {
            self.dialect = dialect
            self.report = report
        }
    }

    /// Number of received lines that violated their dialect.
    package var brokenLines: Int { commandTables.reduce(0) { $0 + $1.report.brokenLines } }

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

    package var counts: VerdictCounts { VerdictCounts(scenarios.lazy.map(\.verdict)) }
}

extension RunResults {
    /// The exit code of the process.
    ///
    /// An interruption takes precedence, because the results are then incomplete. A failure takes
    /// precedence over inconclusive scenarios.
    package var exitCode: ExitCode {
        switch interruption {
        case .interrupted: return .interrupted
        case .terminated: return .terminated
        case .unfinished: return .inconclusive
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

    /// The scenarios, except those with an unreachable server that an earlier scenario or the run's
    /// own diagnostics already report.
    package var scenariosExplainingUnreachableOnce: [ScenarioResult] {
        let reporting =
            diagnostics.isEmpty ? scenarios.firstIndex(where: \.isUnreachable) : nil
        return scenarios.enumerated().filter { index, scenario in
            !scenario.isUnreachable || index == reporting
        }.map(\.element)
    }
}

/// The server under test.
package struct ServerDescription: Sendable, Hashable, Codable {
    /// The server's address as given, such as `tcp://127.0.0.1:6667`; empty if each scenario starts
    /// its own server.
    package var endpoint: String
    /// Name of the server software, as given with `--software`; nil if it was not given.
    package var software: String?
    package var version: String?
    /// The command that started the server; nil if Linejudge did not start it.
    package var command: String?

    package init(
        endpoint: String, software: String? = nil, version: String? = nil, command: String? = nil
    ) {
        self.endpoint = endpoint
        self.software = software
        self.version = version
        self.command = command
    }
}

/// The reason a run ended early.
package enum Interruption: String, Sendable, Hashable, Codable {
    /// SIGINT, usually sent by pressing Control-C.
    case interrupted
    /// SIGTERM or SIGHUP.
    case terminated
    /// A scenario failed, and `--fail-fast` was given.
    case failFast
    /// The results were saved while scenarios were still running. They are the last ones if the
    /// command was then killed.
    case unfinished
}
