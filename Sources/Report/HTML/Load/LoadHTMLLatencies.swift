import Diagnostics
import Results

extension LoadHTMLPage {
    /// A table row for the response times or the service times of a metric.
    struct LatencyRow {
        var `class`: String
        var swatch: String
        var name: String
        var cells: [String]
    }

    /// CSS class of each metric's curve.
    private static let classes: [LatencyMetric: String] = [
        .say: "s1", .relay: "s1", .sayFirst: "s3", .sayLast: "s2", .probe: "s4",
        .step: "s5", .iteration: "s6",
    ]

    /// Returns the table rows and the percentile chart. The chart is nil if there is no data.
    static func latencies(_ results: LoadResults) throws -> ([LatencyRow], String?) {
        var rows: [LatencyRow] = []
        var curves: [LoadCharts.Curve] = []
        for latency in results.latencies {
            let metric = LatencyMetric(name: latency.metric)
            let line = metric.flatMap { classes[$0] }
            rows.append(
                row(
                    LoadSummary.name(latency), latency.response, line ?? "",
                    isPart: metric?.isPart == true))
            if let line, latency.response.count > 0 {
                curves.append(
                    LoadCharts.Curve(
                        name: latency.metric, class: line,
                        times: SampleDistribution(try latency.response.decoded().values)))
            }
            guard let service = latency.service, let line, service.count > 0 else { continue }
            var part = row("from the actual send", service, line + " dashed")
            part.class = "service"
            rows.append(part)
            curves.append(
                LoadCharts.Curve(
                    name: "\(latency.metric) from the actual send", class: line + " dashed",
                    times: SampleDistribution(try service.decoded().values)))
        }
        let limits = LatencyLimit.all(results).filter { classes[$0.metric] != nil }
        return (rows, curves.isEmpty ? nil : LoadCharts.percentiles(curves, limits: limits))
    }

    private static func row(
        _ name: String, _ times: LatencyDistribution, _ line: String, isPart: Bool = false
    ) -> LatencyRow {
        LatencyRow(
            class: isPart ? "part" : "", swatch: line.isEmpty ? "" : LoadFigures.swatch(line),
            name: escapedForDisplay(String(name.drop { $0 == " " })),
            cells: [grouped(times.count)]
                + [times.p50, times.p90, times.p99, times.p999, times.max].map {
                    durationText(Int64(clamping: $0))
                })
    }
}

extension LatencyMetric {
    /// True if the metric is listed as part of `say`.
    fileprivate var isPart: Bool {
        switch self {
        case .sayFirst, .sayMedian, .sayLast, .saySpread: true
        case .connect, .login, .probe, .relay, .say, .step, .iteration: false
        }
    }
}
