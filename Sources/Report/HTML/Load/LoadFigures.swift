import Diagnostics
import Results

/// The charts in the report on a load test, apart from the percentile chart. Charts without data
/// are left out.
struct LoadFigures {
    private let results: LoadResults
    private let columns: LoadColumns
    private let timeline: LoadTimeline

    init(_ results: LoadResults, _ columns: LoadColumns, _ timeline: LoadTimeline) {
        self.results = results
        self.columns = columns
        self.timeline = timeline
    }

    /// Charts that share the time axis, in order.
    var overTime: [LoadHTMLPage.Figure] {
        guard !columns.columns.isEmpty else { return [] }
        return rate + heatMaps + LoadProcesses(results).figures(timeline)
            + LoadServerMetrics(results).figures(timeline)
    }

    /// All other charts, in order.
    var others: [LoadHTMLPage.Figure] {
        get throws { try fanOut + ramp }
    }

    /// Returns the metrics that have samples, in order.
    static func metrics(_ columns: LoadColumns) -> [LatencyMetric] {
        LatencyMetric.allCases.filter { columns.metrics.contains($0.name) }
    }

    /// Returns a short sample line for a legend.
    static func swatch(_ line: String) -> String {
        """
        <svg aria-hidden="true" viewBox="0 0 26 10" width="26" height="10"><path class="swatch \(line)" \
        stroke="#0860ca" stroke-width="3" d="M1 5H25"/></svg>
        """
    }

    /// Returns an entry of a legend: a sample line and the name of the series.
    static func key(_ line: String, _ name: String) -> String {
        let series = line.split(separator: " ").first ?? ""
        return "<span class=\"key\" data-series=\"\(series)\">\(swatch(line))\(name)</span>"
    }

    private var heatMaps: [LoadHTMLPage.Figure] {
        let limits = LatencyLimit.all(results)
        return Self.metrics(columns).map { metric in
            let own = limits.filter { $0.metric == metric }
            let name = metric.name
            return LoadHTMLPage.Figure(
                title: "Latency over time: \(name)",
                caption:
                    "Each column shows the latencies in one interval; stronger colours mean more samples. "
                    + "\(Self.key("s1", "p50: half of the samples are at or below it")) "
                    + "\(Self.key("s2", "p99: 99% of the samples are at or below it")) "
                    + Self.key("mark-max", "maximum (dots)")
                    + (own.isEmpty ? "" : " \(Self.key("limit", "threshold"))")
                    + drainNote,
                figure: LoadTimeCharts(columns: columns.columns, timeline: timeline)
                    .heatMap(name, limits: own),
                values: "\(name).p50 \(name).p99 \(name).max")
        }
    }

    private var rate: [LoadHTMLPage.Figure] {
        guard !columns.columns.isEmpty else { return [] }
        let isBroken = columns.columns.contains { $0.violations > 0 }
        return [
            LoadHTMLPage.Figure(
                title: "Rate",
                caption: "\(Self.key("s1", "sent"))"
                    + (timeline.target.isEmpty ? "" : " \(Self.key("s2 dashed", "requested"))")
                    + (isBroken ? " \(Self.key("mark-bad", "violations (dots)"))" : "")
                    + drainNote,
                figure: LoadTimeCharts(columns: columns.columns, timeline: timeline).rates(),
                values: "requested sent arrived violations")
        ]
    }

    private var drainNote: String {
        timeline.hasDrain ? " Shaded: messages that arrived after the measurement." : ""
    }

    private var ramp: [LoadHTMLPage.Figure] {
        guard let points = results.ramp, points.count > 1,
            points.contains(where: { $0.timeNanoseconds > 0 })
        else { return [] }
        return [
            LoadHTMLPage.Figure(
                title: "Connecting",
                caption: "\(Self.key("s1 dashed", "connected")) \(Self.key("s3", "in rooms"))",
                figure: LoadCharts.ramp(points, operators: results.requested.operators))
        ]
    }

    private var fanOut: [LoadHTMLPage.Figure] {
        get throws {
            let rows: [(String, LatencyMetric)] = [
                ("first member", .sayFirst), ("half the members", .sayMedian),
                ("last member", .sayLast), ("first to last", .saySpread),
            ]
            let found = try rows.compactMap { name, metric in
                try results.response(metric).map {
                    (name: name, times: SampleDistribution(try $0.decoded().values))
                }
            }
            guard !found.isEmpty else { return [] }
            return [
                LoadHTMLPage.Figure(
                    title: "Fan-out",
                    caption:
                        "Time until the first member, half of the members and the last member of a room received a "
                        + "message, "
                        + "and the time between first and last. Bars: p10 to p90; strokes: p50; "
                        + "dots: p99; thin lines: p1 to max.",
                    figure: LoadCharts.fanOut(found))
            ]
        }
    }
}
