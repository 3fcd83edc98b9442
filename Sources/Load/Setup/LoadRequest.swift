package import Results
package import Runner
package import TransportTLS

/// Options of a load, as given on the command line.
package struct LoadRequest: Sendable {
    /// The plan, with the options applied.
    package var plan: LoadPlan
    /// Text of the plan file; nil if there is none.
    package var planText: String?
    package var server: String?
    /// The command that starts the server.
    package var command: String?
    /// Time within which the server must start to listen, in nanoseconds; nil for the default.
    package var startTimeout: Int64?
    package var dialect: String?
    package var trust = ServerTrust()
    /// Variables given as `name=value`.
    package var variables = GivenVariables()
    /// Conditions for scenarios that the server meets but cannot report.
    package var fixtures: [String] = []
    /// Local addresses to connect from.
    package var sources: [String] = []
    package var thresholds: [Threshold] = []
    /// Time in nanoseconds for which a threshold may be violated before the load is aborted; nil to
    /// use the plan's.
    package var abortGrace: Int64?
    /// Whether to search for the highest rate that meets the thresholds.
    package var findsRate = false
    package var schema = SchemaMode.warn
    /// The shard as given, such as `0/3` or `auto`.
    package var shard: String?
    package var startAt: StartTime?

    package init(plan: LoadPlan, planText: String? = nil) {
        self.plan = plan
        self.planText = planText
    }
}
