import Glibc

/// An estimate of how much the figures of a load test vary between load tests of the same server.
///
/// A single load test shows only the variation within itself. The estimate assumes that load tests
/// differ as much as parts of the same load test do. The CPU use of other processes is taken into
/// account separately.
struct LoadVariation {
    /// Minimum number of parts. With fewer, their variation cannot be estimated.
    static let partsMin = 4
    static let partsMax = 8
    /// Minimum standard deviation of a figure's logarithm. Load tests of the same server differ by
    /// about this much even on an idle machine, for instance because of memory layout.
    static let deviationMin = 0.01
    /// Share of the machine's CPU time used by other processes above which they are reported.
    static let otherShareMin = 0.05

    /// For each metric, the latency distributions of the parts.
    private let parts: [LatencyMetric: [LatencyHistogram]]
    /// Send rate in each part.
    private let rates: [Double]
    private let serverCores: [Double]
    /// Share of the machine's CPU time that other processes used, from 0 to 1.
    let otherShare: Double

    init(_ results: LoadResults) throws {
        let whole = results.seconds.filter {
            Int64($0.second) + 1 <= results.traffic.measuredNanoseconds / 1_000_000_000
        }
        var parts: [LatencyMetric: [LatencyHistogram]] = [:]
        for measure in LatencyMetric.allCases {
            let seconds = try whole.compactMap { try $0.latencies[measure.name]?.decoded() }
                .filter { $0.count > 0 }
            parts[measure] = Self.divided(seconds).map { part in
                part.dropFirst().reduce(into: part[part.startIndex]) { $0.merge($1) }
            }
        }
        self.parts = parts
        rates = Self.divided(whole.map { Double($0.sent) }).map(Self.mean)
        let period = 0...results.traffic.measuredNanoseconds
        serverCores = Self.divided(
            (results.processes?.first { $0.role == "server" }?.samples ?? []).dropFirst().filter {
                period.contains($0.timeNanoseconds)
            }.map(\.cores)
        ).map(Self.mean)
        otherShare = results.machine?.otherShare ?? 0
    }

    /// Divides values into at most ``partsMax`` parts of equal length; empty if there are fewer
    /// values than ``partsMin``.
    private static func divided<Value>(_ values: [Value]) -> [ArraySlice<Value>] {
        guard values.count >= partsMin else { return [] }
        let count = min(values.count, partsMax)
        return (0..<count).map { part in
            values[part * values.count / count..<(part + 1) * values.count / count]
        }
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double {
        values.reduce(0, +) / Double(max(values.count, 1))
    }

    /// A figure's variation between load tests.
    struct Variation {
        /// Standard deviation of the figure's logarithm.
        var deviation: Double
        /// Degrees of freedom of the estimate.
        var freedom: Int

        /// Estimates the variation from a figure's values in each part; nil if there are too few
        /// values. The median of the deviations is used, so that a single pause of the server does
        /// not hide every other difference.
        init?(_ values: [Double]) {
            guard values.count >= LoadVariation.partsMin else { return nil }
            let logs = values.map { log(max($0, 1e-9)) }
            let middle = median(logs)
            // For a normal distribution, the standard deviation is 1.4826 times the median
            // deviation.
            let spread = median(logs.map { abs($0 - middle) }) * 1.4826
            deviation = max(spread, LoadVariation.deviationMin)
            freedom = values.count - 1
        }
    }

    /// Returns the variation of a latency quantile; nil if it cannot be estimated.
    func variation(_ measure: LatencyMetric, _ share: Double) -> Variation? {
        Variation((parts[measure] ?? []).map { Double($0.percentile(share * 100)) })
    }

    /// Returns the variation of a mean latency; nil if it cannot be estimated.
    func variationOfMean(_ measure: LatencyMetric) -> Variation? {
        Variation((parts[measure] ?? []).map(\.mean))
    }

    /// Variation of the rate; nil if it cannot be estimated.
    var rate: Variation? { Variation(rates) }
    /// Variation of the server's CPU use; nil if it cannot be estimated.
    var cores: Variation? { Variation(serverCores) }

    /// The largest variation of a median latency, for figures that are not recorded per second; nil
    /// if none can be estimated.
    var typical: Variation? {
        LatencyMetric.allCases.compactMap { variation($0, 0.5) }.max { $0.deviation < $1.deviation }
    }
}

/// Returns the median; 0 if there are no values.
package func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
