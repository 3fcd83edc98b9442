import Diagnostics
import Results

/// The time axis of a load test: its measurement period, stages and end. All charts over time share
/// it.
struct LoadTimeline {
    /// A point where a stage begins or the rate jumps.
    struct Mark {
        /// Seconds since the start of the measurement period.
        var time: Double
        var label: String
    }

    /// Maximum number of marks. If there are more, only named stages are marked.
    static let marksMax = 24
    /// Minimum length of a column that has a meaningful rate, in seconds.
    static let columnSecondsMin = 0.5

    /// Length of the measurement period, in seconds.
    let measured: Double
    /// End of the axis, in seconds.
    let end: Double
    let marks: [Mark]
    /// The requested rate over time; empty in the closed model.
    let target: [(time: Double, rate: Double)]

    /// - Parameter end: Minimum for the end of the axis, in seconds.
    init(_ results: LoadResults, _ columns: LoadColumns, end: Double = 0) {
        measured = Double(results.traffic.measuredNanoseconds) / 1e9
        let last = Double(columns.columns.last?.seconds.upperBound ?? 1)
        let hasDrain = measured > 0 && last >= measured + 1
        drainEnd = hasDrain ? last : nil
        self.end = max(hasDrain || measured == 0 ? last : measured, end, 0.001)
        marks = Self.marks(results.requested)
        target = Self.target(results.requested)
    }

    /// End of the last column in seconds; nil if no messages arrived after the measurement period.
    let drainEnd: Double?
    var hasDrain: Bool { drainEnd != nil }

    /// Returns true if the column overlaps the measurement period. Later columns contain only
    /// messages that arrived late.
    func isMeasured(_ column: LoadColumns.Column) -> Bool { length(column) > 0 }

    /// Returns how much of the column is within the measurement period, in seconds.
    func length(_ column: LoadColumns.Column) -> Double {
        let end = min(Double(column.seconds.upperBound), measured)
        return max(end - Double(column.seconds.lowerBound), 0)
    }

    /// Returns the send rate in a column; nil if the column is too short for a meaningful rate.
    func rate(_ column: LoadColumns.Column) -> Double? {
        let length = length(column)
        guard length >= min(Self.columnSecondsMin, measured), length > 0 else { return nil }
        return Double(column.sent) / length
    }

    /// Returns the average requested rate in a column; nil in the closed model and after the
    /// measurement period.
    func requested(_ column: LoadColumns.Column) -> Double? {
        let length = length(column)
        guard length > 0, target.count > 1 else { return nil }
        let (from, to) = (
            Double(column.seconds.lowerBound), Double(column.seconds.lowerBound) + length
        )
        var messages = 0.0
        for (start, end) in zip(target, target.dropFirst()) where end.time > start.time {
            let (low, high) = (max(start.time, from), min(end.time, to))
            guard high > low else { continue }
            let slope = (end.rate - start.rate) / (end.time - start.time)
            messages += (start.rate + slope * ((low + high) / 2 - start.time)) * (high - low)
        }
        return messages / length
    }

    private static func marks(_ requested: RequestedLoad) -> [Mark] {
        var marks: [(mark: Mark, isNamed: Bool)] = []
        var begin = 0.0
        var rate: Double?
        for stage in requested.stages ?? [] where stage.durationNanoseconds > 0 {
            defer {
                begin += Double(stage.durationNanoseconds) / 1e9
                rate = stage.endPerSecond
            }
            if let name = stage.name {
                marks.append((Mark(time: begin, label: escapedForDisplay(name)), true))
            } else if let rate, abs(rate - stage.startPerSecond) > 1e-9 {
                let label = LoadSummary.rate(stage.startPerSecond)
                marks.append((Mark(time: begin, label: label), false))
            }
        }
        if marks.count > marksMax { marks.removeAll { !$0.isNamed } }
        return marks.prefix(marksMax).map(\.mark)
    }

    private static func target(
        _ requested: RequestedLoad
    ) -> [(time: Double, rate: Double)] {
        guard let rate = requested.ratePerSecond else { return [] }
        guard let stages = requested.stages, !stages.isEmpty else {
            return [(0, rate), (Double(requested.durationNanoseconds) / 1e9, rate)]
        }
        var begin = 0.0
        return stages.flatMap { stage in
            let end = begin + Double(stage.durationNanoseconds) / 1e9
            defer { begin = end }
            return [(begin, stage.startPerSecond), (end, stage.endPerSecond)]
        }
    }
}

/// A threshold on a latency, drawn as a line in charts.
struct LatencyLimit {
    var text: String
    var metric: LatencyMetric
    /// The limit in nanoseconds.
    var limit: Double
    var isBroken: Bool

    /// Returns the limits in the results, at most ``countMax`` for each metric.
    static func all(_ results: LoadResults) -> [LatencyLimit] {
        var counts: [LatencyMetric: Int] = [:]
        return results.thresholds.compactMap { result in
            guard let threshold = try? Threshold(result.text),
                let metric = threshold.metric, threshold.limit > 0
            else { return nil }
            counts[metric, default: 0] += 1
            guard counts[metric, default: 0] <= countMax else { return nil }
            return LatencyLimit(
                text: escapedForDisplay(result.text), metric: metric, limit: threshold.limit,
                isBroken: result.value.map { !threshold.comparison.holds($0, threshold.limit) }
                    ?? false)
        }
    }

    /// Maximum number of lines per metric.
    static let countMax = 4
}
