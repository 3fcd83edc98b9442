import Glibc

/// The noise in a comparison of two single load tests.
struct PairedNoise {
    let variations: (LoadVariation, LoadVariation)

    init(_ first: LoadResults, _ second: LoadResults) throws {
        variations = (try LoadVariation(first), try LoadVariation(second))
    }

    /// The largest difference between a figure's logarithms in two load tests that other processes
    /// alone can cause. If they use a share `f` of the machine's CPU time, the server's work and
    /// the wait for it can each take 1 / (1 - f) times as long.
    private var allowance: Double {
        let share = min(max(variations.0.otherShare, variations.1.otherShare), 0.95)
        return -2 * log(1 - share)
    }

    /// Widens the interval of a difference by the variation between load tests.
    ///
    /// - Parameters:
    ///   - within: The interval that accounts only for the variation within the load tests.
    ///   - variation: The figure's variation between load tests, as estimated from each of the two.
    ///   - confidence: Confidence level, from 0 to 1.
    func widened(
        _ within: Interval, _ values: (Double, Double),
        _ variation: (LoadVariation.Variation, LoadVariation.Variation), confidence: Double
    ) -> Interval {
        let (one, other) = variation
        let deviation =
            (one.deviation * one.deviation + other.deviation * other.deviation).squareRoot()
        let t = StudentT.quantile(
            confidence: confidence, freedom: max(min(one.freedom, other.freedom), 1))
        let factor = exp(t * deviation + allowance)
        return Interval(
            low: min(within.low, values.1 / factor - values.0),
            high: max(within.high, values.1 * factor - values.0))
    }
}
