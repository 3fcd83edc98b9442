/// A stretch of time in which the rate of arrivals is constant or goes in a straight line from one value to
/// another.
package struct RateStage: Sendable, Hashable {
    /// How long it is, in nanoseconds.
    package var duration: Int64
    /// Arrivals a second in its beginning.
    package var startRate: Double
    /// Arrivals a second at its end.
    package var endRate: Double

    /// A stage from its parts.
    package init(duration: Int64, startRate: Double, endRate: Double) {
        self.duration = duration
        self.startRate = startRate
        self.endRate = endRate
    }

    /// A stage of one rate.
    package init(duration: Int64, rate: Double) {
        self.init(duration: duration, startRate: rate, endRate: rate)
    }

    /// How many arrivals there are in all of it; not a whole number.
    package var arrivals: Double { (startRate + endRate) / 2 * seconds }

    private var seconds: Double { Double(duration) / 1e9 }

    /// The nanosecond at which so many arrivals have been.
    func time(of arrivals: Double) -> Int64 {
        if startRate == endRate { return Int64(arrivals * 1e9 / startRate) }
        // arrivals = start × t + slope / 2 × t²
        let slope = (endRate - startRate) / seconds
        let root = (startRate * startRate + 2 * slope * arrivals).squareRoot()
        return Int64((root - startRate) / slope * 1e9)
    }
}
