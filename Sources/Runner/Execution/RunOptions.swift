package import LineProtocol
package import Results
import Session
package import Transport

/// Options of a run.
package struct RunOptions: Sendable {
    /// Version of Linejudge, recorded in the results.
    package var toolVersion: String
    /// Server given with `--server`; it takes precedence over the `exec` lines of scenarios. Nil if
    /// none was given.
    package var endpoint: Endpoint?
    /// Command that starts the server for the run (`--exec`); nil if it is already running. If
    /// ``endpoint`` is set, the server listens there.
    package var command: ServerCommand?
    /// Startup timeout: the maximum time until a server accepts connections, in nanoseconds.
    package var startTimeout = ServerCommand.startTimeoutDefault
    /// Software under test; nil to apply no known failures or skips.
    package var software: Software?
    /// Maximum number of scenarios to run in parallel.
    package var jobs = 1
    /// Maximum number of retries of a failed scenario.
    package var retries = 0
    /// True to start no more scenarios after the first failure.
    package var isFailFast = false
    /// True to give operators and rooms a different name in each run that shares a server.
    package var hasUniqueNames = true
    /// False to prevent scenarios from starting programs with an `exec` line.
    package var allowsCommands = true
    /// Conditions that the server meets, for `needs fixture` lines.
    package var fixtures: Set<String> = []
    /// Seed for shuffling the execution order; nil to keep the selected order.
    package var shuffleSeed: UInt64?
    /// Seed for all other random choices.
    package var seed: UInt64 = 1
    /// Default timeout of an expectation, in nanoseconds.
    package var stepTimeout: Int64 = 5_000_000_000
    /// Default timeout of a scenario, in nanoseconds.
    package var fileTimeout: Int64 = 60_000_000_000
    /// Segmentations to use. Each scenario is run once per segmentation.
    package var segmentations: [Segmentation] = [.whole]
    /// Variables from the command line and the environment.
    package var variables = RunVariables()
    /// Environment variables, for `{{env.NAME}}`.
    package var environment: [String: String] = [:]
    /// Treatment of server lines that violate the dialect's command table.
    package var schema = SchemaMode.warn
    /// Current date, which decides whether known failures have expired; nil to ignore expiry.
    package var today: CalendarDate?
    /// Start time in seconds since 1970.
    package var startedAt: Int64

    package static let jobsMax = 1024
    package static let retriesMax = 100

    /// True if runs that share a server could collide, because several of them run at the same
    /// time, or because a scenario is run several times and the server may keep sessions for a
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
