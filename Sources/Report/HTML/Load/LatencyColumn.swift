import Glibc
import Results

/// Latencies of one metric in a column of ``LoadColumns``. Unlike a histogram, this type uses
/// memory only for values that occur.
struct LatencyColumn {
    /// Number of rows per decade in a heat map.
    static let rowsPerDecade = 12.0

    /// Recorded values with their counts, in ascending order.
    private var values: [(value: UInt64, count: UInt64)] = []
    private(set) var count: UInt64 = 0
    private(set) var minimum = 0.0
    private(set) var maximum = 0.0
    private(set) var median = 0.0
    private(set) var p99 = 0.0
    /// Number of samples in each row of the heat map.
    private(set) var rows: [(row: Int, count: UInt64)] = []

    init() {}

    init(_ times: LatencyHistogram) {
        self.init(times, minimum: times.minimum, maximum: times.maximum)
    }

    /// Creates a column from a stored distribution, whose minimum and maximum are more precise than
    /// those of its histogram.
    init(_ times: LatencyDistribution) throws {
        self.init(try times.decoded(), minimum: times.min, maximum: times.max)
    }

    private init(_ times: LatencyHistogram, minimum: UInt64, maximum: UInt64) {
        values = times.values
        count = times.count
        (self.minimum, self.maximum) = (Double(minimum), Double(maximum))
        summarise()
    }

    mutating func merge(_ other: LatencyColumn) {
        guard other.count > 0 else { return }
        guard count > 0 else {
            self = other
            return
        }
        var merged: [(value: UInt64, count: UInt64)] = []
        merged.reserveCapacity(values.count + other.values.count)
        var (mine, its) = (values[...], other.values[...])
        while let left = mine.first, let right = its.first {
            if left.value <= right.value { mine.removeFirst() }
            if right.value <= left.value { its.removeFirst() }
            if left.value == right.value {
                merged.append((left.value, left.count &+ right.count))
            } else {
                merged.append(left.value < right.value ? left : right)
            }
        }
        values = merged + mine + its
        count &+= other.count
        (minimum, maximum) = (min(minimum, other.minimum), max(maximum, other.maximum))
        summarise()
    }

    private mutating func summarise() {
        (median, p99) = (percentile(50), percentile(99))
        rows.removeAll(keepingCapacity: true)
        for (value, count) in values {
            let row = Self.row(of: value)
            if rows.last?.row == row {
                rows[rows.count - 1].count &+= count
            } else {
                rows.append((row, count))
            }
        }
    }

    /// Returns a percentile, computed the same way as in HdrHistogram.
    private func percentile(_ percent: Double) -> Double {
        let rank = max((percent.nextDown * Double(count) / 100).rounded(.up), 1)
        var reached: UInt64 = 0
        for (value, count) in values {
            reached &+= count
            if Double(reached) >= rank { return max(min(Double(value), maximum), minimum) }
        }
        return maximum
    }

    private static func row(of value: UInt64) -> Int {
        Int((log10(Double(max(value, 1_000))) * rowsPerDecade).rounded(.down))
    }

    /// Returns the latency at the lower edge of a row, in nanoseconds.
    static func lowerEdge(of row: Int) -> Double { pow(10, Double(row) / rowsPerDecade) }
}
