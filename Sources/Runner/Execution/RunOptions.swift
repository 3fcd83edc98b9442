package import Results
package import Scenario
import Session
package import Transport

package struct RunOptions: Sendable {
    /// Version of Linejudge, recorded in the results.
    package var toolVersion: String
    /// Server given with `--server`. It takes precedence over the `exec` lines of scenarios.
    package var endpoint: Endpoint?
    /// Command that starts the server for the run (`--exec`). The server listens at ``endpoint`` if
    /// that is set.
    package var command: ServerCommand?
    /// Time within which a started server must listen, in nanoseconds.
    package var startTimeout = ServerCommand.startTimeoutDefault
    /// Software under test. If it is nil, there are no known failures and no skips.
    package var software: Software?
    /// Number of scenarios that run in parallel.
    package var jobs = 1
    /// Number of times a failed scenario is retried.
    package var retries = 0
    /// True if nothing more is started after the first failure.
    package var isFailFast = false
    /// True if operators and rooms have different names in runs that share a server.
    package var hasUniqueNames = true
    /// Conditions that the server fulfils, for `needs fixture` lines.
    package var fixtures: Set<String> = []
    /// Seed for shuffling the execution order; nil to keep the selected order.
    package var shuffleSeed: UInt64?
    /// Seed for all other randomness.
    package var seed: UInt64 = 1
    /// Default timeout of an expectation, in nanoseconds.
    package var stepTimeout: Int64 = 5_000_000_000
    /// Default timeout of a scenario, in nanoseconds.
    package var fileTimeout: Int64 = 60_000_000_000
    /// Segmentations. Each scenario runs once with each of them.
    package var segmentations: [Segmentation] = [.whole]
    /// Variables from the command line and the environment.
    package var variables = RunVariables()
    /// Environment variables, for `{{env.NAME}}`.
    package var environment: [String: String] = [:]
    /// How lines that violate the dialect's command table are handled.
    package var schema = SchemaMode.warn
    /// Current date, which determines whether known failures have expired.
    package var today: CalendarDate?
    /// Start time in Unix seconds.
    package var startedAt: Int64

    /// Maximum number of scenarios that run in parallel.
    package static let jobsMax = 1024
    /// Maximum number of retries.
    package static let retriesMax = 100

    /// True if runs that share a server could collide. That is possible if several run at the same
    /// time, or if the same scenario runs several times, because a server may keep sessions for a
    /// while.
    package var sharesServer: Bool {
        let isOwn = endpoint == nil && (command?.canRunTwice ?? false)
        return segmentations.count > 1 || jobs > 1 && !isOwn
    }

    /// Creates options with default values.
    package init(toolVersion: String, startedAt: Int64) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
    }
}
