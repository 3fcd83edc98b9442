/// A rate change requested by the user.
package struct RateChange: Sendable, Hashable, Codable {
    /// The type of rate change.
    package enum Action: String, Sendable, Hashable, Codable {
        /// Multiplies the rate by a factor.
        case scale
        /// Sends nothing until the load test is resumed.
        case pause
        /// Continues at the rate that the schedule specifies for the time of the change.
        case resume
    }

    /// Time of the change, in nanoseconds from the start.
    package var time: Int64
    package var factor: Double
    package var action: Action

    package init(time: Int64, factor: Double = 1, action: Action = .scale) {
        self.time = time
        self.factor = factor
        self.action = action
    }
}

/// The combined effect of rate changes.
package struct RateFactor: Sendable, Hashable {
    package private(set) var factor = 1.0
    package private(set) var isPaused = false

    package init(_ changes: [RateChange] = []) { changes.forEach { apply($0) } }

    package mutating func apply(_ change: RateChange) {
        switch change.action {
        case .scale: factor *= change.factor
        case .pause: isPaused = true
        case .resume: isPaused = false
        }
    }

    /// Factor to apply to the planned rates; 0 while sending is paused.
    var multiplier: Double { isPaused ? 0 : factor }
}
