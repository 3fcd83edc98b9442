public import Diagnostics
public import LineProtocol

/// Everything that a run found: the one value that every report is made from.
public struct RunResults: Sendable, Equatable {
    /// The name and version of the form in which it is written to a file.
    public static let schema = "linejudge.run/1"

    /// The version of Linejudge that played.
    public var toolVersion: String
    /// What everything random in the run was derived from.
    public var seed: UInt64
    /// The server.
    public var server: ServerDescription
    /// When it began, in seconds of Unix time.
    public var startedAt: Int64
    /// How long it took, in nanoseconds.
    public var duration: Int64
    /// The scenarios, in the order in which they were selected.
    public var scenarios: [ScenarioResult]
    /// What is to be said about the run itself, and no scenario.
    public var diagnostics: [Diagnostic]
    /// What ended it early, if something did.
    public var interruption: Interruption?
    /// X: how the lines of all plays stood to the command tables of their dialects; empty if nobody looked.
    public var commandTables: [CommandTable] = []
    /// Whether lines of a server that break them fail the run.
    public var brokenLinesFail = false

    /// What became of the lines of one dialect.
    public struct CommandTable: Sendable, Hashable {
        /// The dialect's name, with its profile.
        public var dialect: String
        /// What was found.
        public var report: SchemaReport

        /// A table from its parts.
        public init(dialect: String, report: SchemaReport) {
            self.dialect = dialect
            self.report = report
        }
    }

    /// How many lines of servers broke their dialects.
    public var brokenLines: Int { commandTables.reduce(0) { $0 + $1.report.brokenLines } }

    /// Results from their parts.
    public init(
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
    public var counts: VerdictCounts { VerdictCounts(scenarios.lazy.map(\.verdict)) }
}

/// The server that was judged.
public struct ServerDescription: Sendable, Hashable, Codable {
    /// Where it listens, as it was given: `tcp://127.0.0.1:6667`; empty where each file starts its own.
    public var endpoint: String
    /// Its software's name, as given by `--software`.
    public var software: String?
    /// Its version.
    public var version: String?
    /// The command that started it, if we did.
    public var command: String?

    /// A server by where it listens and what it is.
    public init(
        endpoint: String, software: String? = nil, version: String? = nil, command: String? = nil
    ) {
        self.endpoint = endpoint
        self.software = software
        self.version = version
        self.command = command
    }
}

/// What can end a run early.
public enum Interruption: String, Sendable, Hashable, Codable {
    /// SIGINT: somebody pressed control-C.
    case interrupted
    /// SIGTERM: somebody asked us to end.
    case terminated
    /// A scenario failed, and no more was wanted after the first failure.
    case failFast
}
