package import Results
package import Scenario
import Session
package import Transport

package struct RunOptions: Sendable {
    /// Version of Linejudge, recorded in the results.
    package var toolVersion: String
    /// Server given with `--server`. Takes precedence over the `exec` lines of scenarios.
    package var endpoint: Endpoint?
    /// Server to start for the run (`--exec`). It listens at ``endpoint`` if that is set.
    package var command: ServerCommand?
    /// Time in which a server that is started must listen, in nanoseconds.
    package var startTimeout = ServerCommand.startTimeoutDefault
    /// Software under test. If nil, no known failure and no skip applies.
    package var software: Software?
    /// Number of scenarios run in parallel.
    package var jobs = 1
    /// Number of times a failed scenario is retried.
    package var retries = 0
    /// True to start nothing more after the first failure.
    package var isFailFast = false
    /// True if the names of operators and rooms differ between runs that share a server.
    package var hasUniqueNames = true
    /// Conditions that the server meets, for `needs fixture` lines.
    package var fixtures: Set<String> = []
    /// Seed for shuffling the execution order; nil to keep the selected order.
    package var shuffleSeed: UInt64?
    /// Seed for all other randomness.
    package var seed: UInt64 = 1
    /// Default timeout of an expectation, in nanoseconds.
    package var stepTimeout: Int64 = 5_000_000_000
    /// Default timeout of a scenario, in nanoseconds.
    package var fileTimeout: Int64 = 60_000_000_000
    /// Segmentations; each scenario runs once with each.
    package var segmentations: [Segmentation] = [.whole]
    /// Variables from the command line and the environment.
    package var variables = RunVariables()
    /// Environment variables, for `{{env.NAME}}`.
    package var environment: [String: String] = [:]
    /// Handling of lines that violate the dialect's command table.
    package var schema = SchemaMode.warn
    /// Current date, to expire known failures.
    package var today: CalendarDate?
    /// Start time in Unix seconds.
    package var startedAt: Int64

    /// Maximum number of parallel scenarios.
    package static let jobsMax = 1024
    /// Maximum number of retries.
    package static let retriesMax = 100

    /// True if runs that share a server could collide: several at the same time, or the same scenario
    /// several times, whose sessions a server may keep for a while.
    package var sharesServer: Bool {
        let isOwn = endpoint == nil && (command?.canRunTwice ?? false)
        return segmentations.count > 1 || jobs > 1 && !isOwn
    }

    /// Creates options with the defaults.
    package init(toolVersion: String, startedAt: Int64) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
    }
}
