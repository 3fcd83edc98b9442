import Results

/// Figures of a load test over time, in at most ``countMax`` columns of equal length. Seconds can
/// be added while the load test runs; when there are too many, columns are merged in pairs.
struct LoadColumns {
    /// Maximum number of columns.
    static let countMax = 120

    /// Figures for one or more seconds.
    struct Column {
        /// The seconds of the measurement period that the column covers.
        var seconds: Range<Int>
        var sent: UInt64 = 0
        var arrived: UInt64 = 0
        var violations: UInt64 = 0
        /// Latencies by metric.
        var latencies: [String: LatencyColumn] = [:]

        /// Middle of the column, in seconds.
        var middle: Double { Double(seconds.lowerBound + seconds.upperBound) / 2 }

        fileprivate mutating func merge(_ other: Column) {
            seconds = seconds.lowerBound..<max(seconds.upperBound, other.seconds.upperBound)
            sent &+= other.sent
            arrived &+= other.arrived
            violations &+= other.violations
            for (metric, times) in other.latencies { merge(times, metric) }
        }

        fileprivate mutating func merge(_ times: LatencyColumn, _ metric: String) {
            latencies[metric, default: LatencyColumn()].merge(times)
        }
    }

    /// Number of seconds per column.
    private(set) var length = 1
    /// The columns, without gaps.
    private(set) var columns: [Column] = []
    /// Names of the metrics that have samples.
    private(set) var metrics: Set<String> = []

    init() {}

    init(_ seconds: [LoadResults.Second]) throws {
        for second in seconds {
            add(
                second.second, sent: second.sent, arrived: second.arrived,
                violations: second.violations,
                latencies: try second.latencies.mapValues { try LatencyColumn($0) })
        }
    }

    /// Adds a second of the measurement period. Seconds before the period are ignored.
    mutating func add(
        _ number: Int, sent: UInt64, arrived: UInt64, violations: UInt64,
        latencies: [String: LatencyColumn]
    ) {
        guard number >= 0, number < Int.max / 2 else { return }
        while number / length >= Self.countMax { mergePairs() }
        while columns.count <= number / length {
            let start = columns.count * length
            columns.append(Column(seconds: start..<start))
        }
        let index = number / length
        var column = columns[index]
        column.seconds = column.seconds.lowerBound..<max(column.seconds.upperBound, number + 1)
        column.sent &+= sent
        column.arrived &+= arrived
        column.violations &+= violations
        for (metric, times) in latencies where times.count > 0 {
            column.merge(times, metric)
            metrics.insert(metric)
        }
        columns[index] = column
        // Earlier columns are complete even if nothing happened in their last seconds.
        for earlier in columns.indices.dropLast(columns.count - index) {
            let start = columns[earlier].seconds.lowerBound
            columns[earlier].seconds = start..<start + length
        }
    }

    private mutating func mergePairs() {
        length *= 2
        columns = stride(from: 0, to: columns.count, by: 2).map { index in
            var column = columns[index]
            if index + 1 < columns.count { column.merge(columns[index + 1]) }
            return column
        }
    }
}
