import Diagnostics
import Results

/// The server's own metrics over time, for reports.
struct LoadServerMetrics {
    /// Maximum number of metrics in charts and tables.
    static let countMax = 20

    let metrics: [ServerMetric]

    init(_ results: LoadResults) {
        metrics = Array(
            (results.metrics ?? []).filter { !$0.samples.isEmpty }.prefix(Self.countMax))
    }

    /// Returns the display name of a metric, such as `lines_total/s`.
    static func name(_ metric: ServerMetric) -> String {
        escapedForDisplay(metric.name) + (metric.isCounter ? "/s" : "")
    }

    /// Formats a value with up to three decimals.
    static func text(_ value: Double) -> String {
        let size = abs(value)
        guard size < 1e15 else { return "\(value)" }
        let digits = size >= 100 || value == value.rounded() ? 0 : size >= 1 ? 1 : 3
        let factor: Int64 = digits == 0 ? 1 : digits == 1 ? 10 : 1_000
        let number = decimal(
            Int64((size * Double(factor)).rounded()), per: factor, digits: digits)
        return (value < 0 ? "-" : "") + number
    }
}
