public import Scenario
public import Session
public import Transport

/// How scenarios are played.
public struct RunOptions: Sendable {
    /// The version of Linejudge, for the results.
    public var toolVersion: String
    /// The server, as `--server` names it. It wins over the `exec` lines of scenarios.
    public var endpoint: Endpoint?
    /// The server to start for the run, as `--exec` says. It listens at ``endpoint`` if that is given.
    public var command: ServerCommand?
    /// What the server is; without it no known failure and no skip applies.
    public var software: Software?
    /// How many scenarios are played at the same time.
    public var jobs = 1
    /// How often a scenario that failed is played again.
    public var retries = 0
    /// Whether nothing more is begun after the first failure.
    public var isFailFast = false
    /// What the order of playing is shuffled by; nil for the order in which they were selected.
    public var shuffleSeed: UInt64?
    /// What everything random derives from.
    public var seed: UInt64 = 1
    /// How long an expectation waits when the scenario does not say, in nanoseconds.
    public var stepTimeout: Int64 = 5_000_000_000
    /// How long a scenario may take when it does not say, in nanoseconds.
    public var fileTimeout: Int64 = 60_000_000_000
    /// Each scenario is played once with each of them.
    public var segmentations: [Segmentation] = [.whole]
    /// Values for variables.
    public var variables = RunVariables()
    /// The environment, for `{{env.NAME}}`.
    public var environment: [String: String] = [:]
    /// What is made of lines that break their dialect's command table.
    public var schema = SchemaMode.warn
    /// The day, for the ends of known failures.
    public var today: CalendarDate?
    /// The time, in seconds of Unix time.
    public var startedAt: Int64

    /// The most scenarios that are played at the same time.
    public static let jobsMax = 1024
    /// The most retries.
    public static let retriesMax = 100

    /// The usual options.
    public init(toolVersion: String, startedAt: Int64) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
    }
}
