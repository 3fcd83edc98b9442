package import Results
package import Runner
package import TransportTLS

/// Options of a load, as given on the command line.
package struct LoadRequest: Sendable {
    /// The plan, with the options applied.
    package var plan: LoadPlan
    /// Text of the plan file; nil without one.
    package var planText: String?
    package var server: String?
    /// The command that starts the server.
    package var command: String?
    /// Time in which it must start to listen, in nanoseconds; nil for the default.
    package var startTimeout: Int64?
    package var dialect: String?
    package var trust = ServerTrust()
    /// `name=value`
    package var variables = GivenVariables()
    /// Conditions for scenarios that the server meets but cannot report.
    package var fixtures: [String] = []
    /// Local addresses to connect from.
    package var sources: [String] = []
    package var thresholds: [Threshold] = []
    /// Nanoseconds for which a threshold may be violated before the load ends; nil for the plan's.
    package var abortGrace: Int64?
    /// Whether the highest rate that meets the thresholds is searched for.
    package var findsRate = false
    package var schema = SchemaMode.warn
    /// `0/3`, `auto`
    package var shard: String?
    package var startAt: StartTime?

    package init(plan: LoadPlan, planText: String? = nil) {
        self.plan = plan
        self.planText = planText
    }
}
