/// A kind of latency: the time from one event to another.
package enum LatencyMetric: Int, Sendable, Hashable, CaseIterable, Codable {
    /// From the start of the connection attempt to the established connection.
    case connect
    /// From the established connection until the operator has logged in and is in its room.
    case login
    /// From a probe to its answer.
    case probe
    /// From sending a private message until the recipient receives it.
    case relay
    /// From sending a room message until a member receives it, with one sample per member.
    case say
    /// From sending a room message until the first member receives it.
    case sayFirst
    /// From sending a room message until half of the members have received it.
    case sayMedian
    /// From sending a room message until the last member receives it.
    case sayLast
    /// From the first delivery of a room message to the last.
    case saySpread
    /// From a send in a scenario until the subsequent expectation is met.
    case step
    /// Duration of a complete scenario run.
    case iteration

    /// Name of the metric in thresholds and reports.
    package var name: String {
        switch self {
        case .connect: "connect"
        case .login: "login"
        case .probe: "probe"
        case .relay: "relay"
        case .say: "say"
        case .sayFirst: "say.first"
        case .sayMedian: "say.median"
        case .sayLast: "say.last"
        case .saySpread: "say.spread"
        case .step: "step"
        case .iteration: "iteration"
        }
    }

    /// Returns the metric with this name; nil if there is none.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// True if the metric is also recorded separately for each second of the load test.
    package var isPerSecond: Bool {
        switch self {
        case .probe, .relay, .say, .step, .iteration: true
        default: false
        }
    }
}
