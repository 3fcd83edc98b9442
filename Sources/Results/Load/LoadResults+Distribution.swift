extension LoadResults.Distribution {
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
}
