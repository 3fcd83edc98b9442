/// Start and end times of the phases of a load, in nanoseconds of one clock.
package struct Phases: Sendable, Hashable {
    /// Earliest due time of an arrival.
    package var start: Int64
    /// Arrivals due from here on are measured.
    package var measureStart: Int64
    /// End of the arrivals; messages in flight may still be delivered.
    package var end: Int64
    /// Messages that have not arrived by now count as lost.
    package var drainEnd: Int64

    package init(start: Int64, warmup: Int64, measure: Int64, drain: Int64) {
        self.start = start
        measureStart = start + max(warmup, 0)
        end = measureStart + max(measure, 0)
        drainEnd = end + max(drain, 0)
    }

    /// Whether an arrival due at `time` is measured.
    package func isMeasured(_ time: Int64) -> Bool { time >= measureStart && time < end }

    /// The second of the measurement that `time` falls in; negative before it.
    package func second(of time: Int64) -> Int {
        Int(((time - measureStart) / 1_000_000_000) - (time < measureStart ? 1 : 0))
    }
}
