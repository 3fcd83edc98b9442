/// What is timed.
package enum Measure: Int, Sendable, Hashable, CaseIterable, Codable {
    /// From the start of a connect to the connection.
    case connect
    /// From the connection until the operator is logged in and in its room.
    case login
    /// A probe and its answer.
    case probe
    /// A text to one other operator, until it has it.
    case relay
    /// A text to a room, until a member has it: one time for each member.
    case say
    /// A text to a room, until the first member has it.
    case sayFirst
    /// Until half of the members have it.
    case sayMedian
    /// Until the last one has it.
    case sayLast
    /// Between the first and the last one.
    case saySpread
    /// What a scenario expects, from the send before it.
    case step
    /// A whole play of a scenario.
    case iteration

    /// The word in thresholds and reports.
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

    /// The measure with this name.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// Whether it is kept for each second: what users feel while the load goes on.
    package var isPerSecond: Bool {
        switch self {
        case .probe, .relay, .say, .step, .iteration: true
        default: false
        }
    }
}
