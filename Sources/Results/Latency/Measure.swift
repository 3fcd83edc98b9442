/// A kind of latency.
package enum Measure: Int, Sendable, Hashable, CaseIterable, Codable {
    /// From the start of the connection attempt until it is established.
    case connect
    /// From the connection until the operator has logged in and joined its room.
    case login
    /// From a probe to its answer.
    case probe
    /// From a private message until its recipient receives it.
    case relay
    /// From a room message until a member receives it; one sample per member.
    case say
    /// From a room message until the first member receives it.
    case sayFirst
    /// From a room message until half of the members have received it.
    case sayMedian
    /// From a room message until the last member receives it.
    case sayLast
    /// From the first to the last delivery of a room message.
    case saySpread
    /// From a send in a scenario until the expectation after it is met.
    case step
    /// A complete run of a scenario.
    case iteration

    /// The name used in thresholds and reports.
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

    /// Returns the measure with this name, or nil.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// True if it is also recorded for each second of the load.
    package var isPerSecond: Bool {
        switch self {
        case .probe, .relay, .say, .step, .iteration: true
        default: false
        }
    }
}
