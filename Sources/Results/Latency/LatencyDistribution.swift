/// A latency distribution: key figures and the full histogram.
package struct LatencyDistribution: Sendable, Codable, Equatable {
    package var count: UInt64
    package var min: UInt64
    package var mean: Double
    package var deviation: Double
    package var p50: UInt64
    package var p75: UInt64
    package var p90: UInt64
    package var p95: UInt64
    package var p99: UInt64
    package var p999: UInt64
    package var p9999: UInt64
    package var max: UInt64
    /// The histogram behind the figures, for merging.
    package var histogram: EncodedHistogram

    package init(_ histogram: LatencyHistogram) {
        count = histogram.count
        min = histogram.minimum
        mean = histogram.mean
        deviation = histogram.deviation
        p50 = histogram.percentile(50)
        p75 = histogram.percentile(75)
        p90 = histogram.percentile(90)
        p95 = histogram.percentile(95)
        p99 = histogram.percentile(99)
        p999 = histogram.percentile(99.9)
        p9999 = histogram.percentile(99.99)
        max = histogram.maximum
        self.histogram = EncodedHistogram(histogram)
    }

    /// Returns the given percentile of the samples; nil if the histogram cannot be decoded.
    package func percentile(_ percent: Double) -> UInt64? {
        (try? decoded()).map { Swift.min($0.percentile(percent), max) }
    }

    /// Decodes the histogram behind the key figures.
    package func decoded() throws -> LatencyHistogram {
        try histogram.decoded()
    }

    /// Adds another distribution. Minimum, maximum and mean remain exact.
    package mutating func add(_ other: Self) throws {
        var sum = try decoded()
        sum.merge(try other.decoded())
        var result = Self(sum)
        result.count = count.grown(by: other.count)
        result.max = Swift.max(max, other.max)
        result.min = Swift.min(count > 0 ? min : .max, other.count > 0 ? other.min : .max)
        if result.count == 0 { result.min = 0 }
        let (mine, its) = (Double(count), Double(other.count))
        if mine + its > 0 {
            result.mean = (mean * mine + other.mean * its) / (mine + its)
            let squares =
                mine * (deviation * deviation + mean * mean)
                + its * (other.deviation * other.deviation + other.mean * other.mean)
            let variance = squares / (mine + its) - result.mean * result.mean
            result.deviation = Swift.max(variance, 0).squareRoot()
        }
        self = result
    }
}
