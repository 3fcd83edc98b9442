import Diagnostics
import Results

/// Charts that compare load tests, with one line for each.
struct ComparisonCharts {
    let series: [ComparedLoad]

    /// All charts that have data, in order.
    var figures: [LoadHTMLPage.Figure] {
        get throws { try latencies + rate + cpu }
    }

    /// For each metric, a chart of its percentiles and a chart of its p99 over time.
    private var latencies: [LoadHTMLPage.Figure] {
        get throws {
            try LatencyMetric.allCases.flatMap { metric in
                let curves = try series.compactMap { one in
                    try one.results.response(metric).flatMap { times in
                        times.count == 0
                            ? nil
                            : LoadCharts.Curve(
                                name: one.name, class: one.class,
                                times: SampleDistribution(try times.decoded().values))
                    }
                }
                guard !curves.isEmpty else { return [LoadHTMLPage.Figure]() }
                let percentiles = LoadHTMLPage.Figure(
                    title: "Latency by percentile: \(metric.name)", caption: keys,
                    figure: LoadCharts.percentiles(curves))
                let overTime = lines { one in
                    one.points {
                        $0.latencies[metric.name].flatMap { $0.count > 0 ? $0.p99 : nil }
                    }
                }
                guard let overTime else { return [percentiles] }
                let chart = chart("p99 over time: \(metric.name)", overTime) {
                    minimum, maximum, plot in
                    Scale.times(minimum, maximum, from: plot.bottom, to: Plot.top)
                }
                return [
                    percentiles,
                    LoadHTMLPage.Figure(
                        title: "p99 over time: \(metric.name)", caption: keys, figure: chart),
                ]
            }
        }
    }

    private var rate: [LoadHTMLPage.Figure] {
        guard let lines = lines({ one in one.points { one.timeline.rate($0) } }) else { return [] }
        let chart = chart("Messages sent per second over time", lines) { _, maximum, plot in
            Scale.counts(maximum, from: plot.bottom, to: Plot.top) {
                grouped(UInt64(max($0, 0))) + "/s"
            }
        }
        return [LoadHTMLPage.Figure(title: "Send rate over time", caption: keys, figure: chart)]
    }

    private var cpu: [LoadHTMLPage.Figure] {
        guard let lines = lines({ one in one.serverCores.map { ($0.time, $0.value * 100) } }) else {
            return []
        }
        let chart = chart("Server CPU over time", lines) { _, maximum, plot in
            Scale.counts(maximum, from: plot.bottom, to: Plot.top) { "\(Int(max($0, 0)))%" }
        }
        return [LoadHTMLPage.Figure(title: "Server CPU", caption: keys, figure: chart)]
    }

    /// The legend, which is the same for all charts.
    private var keys: String {
        series.map {
            LoadFigures.key($0.class, "\($0.letter) \(XMLText.content($0.name))")
        }.joined(separator: " ")
    }

    // MARK: Drawing

    private typealias Line = (series: ComparedLoad, points: [(time: Double, value: Double)])

    /// Returns the lines that have at least one point; nil if there are none.
    private func lines(
        _ points: (ComparedLoad) -> [(time: Double, value: Double)]
    ) -> [Line]? {
        let lines = series.map { ($0, points($0)) }.filter { !$0.1.isEmpty }
        return lines.isEmpty ? nil : lines
    }

    private func chart(
        _ label: String, _ lines: [Line],
        scale: (_ minimum: Double, _ maximum: Double, _ plot: Plot) -> Scale
    ) -> String {
        var plot = Plot(label, height: 240, hasTimeAxis: true)
        let x = Scale.seconds(
            series.map(\.timeline.end).max() ?? 0, from: Plot.left, to: Plot.right)
        let values = lines.flatMap { $0.points.map(\.value) }
        let y = scale(values.min() ?? 0, values.max() ?? 0, plot)
        plot.addRows(y)
        for line in lines {
            let points = line.points.map { (x.position($0.time), y.position($0.value)) }
            if points.count == 1 {
                plot.addDot(
                    points[0].0, points[0].1, class: line.series.class + "-fill",
                    title: line.series.name)
            } else {
                plot.addLine(points, class: line.series.class, title: line.series.name)
            }
        }
        plot.addColumns(x)
        return plot.svg
    }
}
