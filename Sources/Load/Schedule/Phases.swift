/// When the parts of a load begin and end, in nanoseconds on one clock.
package struct Phases: Sendable, Hashable {
    /// The first arrival may be due.
    package var start: Int64
    /// What is intended from here on is measured.
    package var measureStart: Int64
    /// Nothing is intended any more; what is under way may still arrive.
    package var end: Int64
    /// What has not arrived by then is lost.
    package var drainEnd: Int64

    /// The phases of a load that starts at `start`.
    package init(start: Int64, warmup: Int64, measure: Int64, drain: Int64) {
        self.start = start
        measureStart = start + max(warmup, 0)
        end = measureStart + max(measure, 0)
        drainEnd = end + max(drain, 0)
    }

    /// Whether what was intended for `time` is measured.
    package func isMeasured(_ time: Int64) -> Bool { time >= measureStart && time < end }

    /// The second of the measurement that `time` lies in; from -1 downwards before it.
    package func second(of time: Int64) -> Int {
        Int(((time - measureStart) / 1_000_000_000) - (time < measureStart ? 1 : 0))
    }
}
