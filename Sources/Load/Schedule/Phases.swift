/// Start and end times of a load test's phases, in nanoseconds on the same clock.
package struct Phases: Sendable, Hashable {
    /// Earliest due time of an arrival.
    package var start: Int64
    /// Start of the measurement period.
    package var measureStart: Int64
    /// End of arrivals. In-flight messages may still be delivered.
    package var end: Int64
    /// Time from which outstanding messages count as lost.
    package var drainEnd: Int64

    package init(start: Int64, warmup: Int64, measurement: Int64, drain: Int64) {
        self.start = start
        measureStart = start + max(warmup, 0)
        end = measureStart + max(measurement, 0)
        drainEnd = end + max(drain, 0)
    }

    /// Returns true if an arrival due at `time` is measured.
    package func isMeasured(_ time: Int64) -> Bool { time >= measureStart && time < end }

    /// Returns the second of the measurement period that contains `time`; negative if it is
    /// earlier.
    package func second(of time: Int64) -> Int {
        Int(((time - measureStart) / 1_000_000_000) - (time < measureStart ? 1 : 0))
    }
}
