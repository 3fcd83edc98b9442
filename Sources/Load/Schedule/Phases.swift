/// Start and end times of the phases of a load test, in nanoseconds on the same clock.
package struct Phases: Sendable, Hashable {
    /// Earliest time when an arrival is due.
    package var start: Int64
    /// Time from which arrivals are measured.
    package var measureStart: Int64
    /// End of arrivals. Messages in flight may still be delivered.
    package var end: Int64
    /// Time after which messages that have not arrived count as lost.
    package var drainEnd: Int64

    package init(start: Int64, warmup: Int64, measure: Int64, drain: Int64) {
        self.start = start
        measureStart = start + max(warmup, 0)
        end = measureStart + max(measure, 0)
        drainEnd = end + max(drain, 0)
    }

    /// Returns whether an arrival due at `time` is measured.
    package func isMeasured(_ time: Int64) -> Bool { time >= measureStart && time < end }

    /// Returns the second of the measurement period in which `time` falls; negative if it is
    /// earlier.
    package func second(of time: Int64) -> Int {
        Int(((time - measureStart) / 1_000_000_000) - (time < measureStart ? 1 : 0))
    }
}
