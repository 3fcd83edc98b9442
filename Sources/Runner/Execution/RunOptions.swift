package import Results
package import Scenario
import Session
package import Transport

/// How scenarios are played.
package struct RunOptions: Sendable {
    /// The version of Linejudge, for the results.
    package var toolVersion: String
    /// The server, as `--server` names it. It wins over the `exec` lines of scenarios.
    package var endpoint: Endpoint?
    /// The server to start for the run, as `--exec` says. It listens at ``endpoint`` if that is given.
    package var command: ServerCommand?
    /// What the server is; without it no known failure and no skip applies.
    package var software: Software?
    /// How many scenarios are played at the same time.
    package var jobs = 1
    /// How often a scenario that failed is played again.
    package var retries = 0
    /// Whether nothing more is begun after the first failure.
    package var isFailFast = false
    /// What the order of playing is shuffled by; nil for the order in which they were selected.
    package var shuffleSeed: UInt64?
    /// What everything random derives from.
    package var seed: UInt64 = 1
    /// How long an expectation waits when the scenario does not say, in nanoseconds.
    package var stepTimeout: Int64 = 5_000_000_000
    /// How long a scenario may take when it does not say, in nanoseconds.
    package var fileTimeout: Int64 = 60_000_000_000
    /// Each scenario is played once with each of them.
    package var segmentations: [Segmentation] = [.whole]
    /// Values for variables.
    package var variables = RunVariables()
    /// The environment, for `{{env.NAME}}`.
    package var environment: [String: String] = [:]
    /// What is made of lines that break their dialect's command table.
    package var schema = SchemaMode.warn
    /// The day, for the ends of known failures.
    package var today: CalendarDate?
    /// The time, in seconds of Unix time.
    package var startedAt: Int64

    /// The most scenarios that are played at the same time.
    package static let jobsMax = 1024
    /// The most retries.
    package static let retriesMax = 100

    /// The usual options.
    package init(toolVersion: String, startedAt: Int64) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
    }
}
