/// Progress of a running load test.
package struct LoadProgress: Sendable, Hashable {
    /// Phase of a load test.
    package enum Phase: Sendable, Hashable {
        /// Operators connect and enter their rooms.
        case connecting
        case warmup
        case measuring
        /// Nothing is sent, but messages in flight may still arrive.
        case draining
        case ended
    }

    package var phase: Phase
    /// Elapsed part of the measurement period, in nanoseconds.
    package var elapsed: Int64
    /// Length of the measurement period, in nanoseconds.
    package var duration: Int64
    /// Number of operators that must enter rooms.
    package var operators: Int
    /// Factor that the user has applied to the rate.
    package var rateFactor: Double
    /// True if the user has paused the load test.
    package var isPaused: Bool
    /// True if the rate can be changed, which is possible only in the open model.
    package var canChangeRate: Bool

    package init(
        phase: Phase, elapsed: Int64 = 0, duration: Int64, operators: Int, rateFactor: Double = 1,
        isPaused: Bool = false, canChangeRate: Bool = false
    ) {
        self.phase = phase
        self.elapsed = elapsed
        self.duration = duration
        self.operators = operators
        self.rateFactor = rateFactor
        self.isPaused = isPaused
        self.canChangeRate = canChangeRate
    }

    /// Elapsed share of the measurement period, from 0 to 1.
    package var share: Double {
        duration > 0 ? min(max(Double(elapsed) / Double(duration), 0), 1) : 0
    }

    /// Remaining part of the measurement period, in nanoseconds.
    package var remaining: Int64 { max(duration - elapsed, 0) }
}
