package import Results
package import Runner
package import TransportTLS

/// A load test's options, as given on the command line.
package struct LoadRequest: Sendable {
    /// The plan, with the options applied.
    package var plan: LoadPlan
    /// Contents of the plan file; nil if there is none.
    package var planText: String?
    package var server: String?
    /// Command that starts the server; nil if none was given.
    package var command: String?
    /// The option that contains the command, for error messages.
    package var commandOption = "--exec"
    /// Time limit for the server to start listening, in nanoseconds; nil for the default.
    package var startTimeout: Int64?
    package var dialect: String?
    package var trust = ServerTrust()
    /// Variables given as `name=value`.
    package var variables = GivenVariables()
    /// Conditions the server meets but cannot report, for `needs fixture` lines.
    package var fixtures: [String] = []
    /// Local addresses to connect from.
    package var sources: [String] = []
    package var thresholds: [Threshold] = []
    /// Time that a threshold may be violated before the load test is aborted, in nanoseconds; nil
    /// to use the plan's value.
    package var abortGrace: Int64?
    /// Limits that end the load test before it harms the server.
    package var budgets: [LoadBudget] = []
    /// True to search for the highest rate that meets the thresholds.
    package var findsRate = false
    package var schema = SchemaMode.warn
    /// The shard as given on the command line, such as `0/3` or `auto`; nil for the whole load
    /// test.
    package var shard: String?
    package var startAt: StartTime?
    /// Processes to observe.
    package var watched: [Int] = []
    /// Metrics of the server to read.
    package var metricsSources: [MetricsSource] = []

    package init(plan: LoadPlan, planText: String? = nil) {
        self.plan = plan
        self.planText = planText
    }
}
