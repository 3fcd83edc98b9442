import Diagnostics
import Results

/// Charts and values of the server's own metrics over time.
extension LoadServerMetrics {
    // MARK: Charts

    func figures(_ timeline: LoadTimeline) -> [LoadHTMLPage.Figure] {
        metrics.enumerated().map { index, metric in
            LoadHTMLPage.Figure(
                title: XMLText.content(Self.name(metric)),
                caption: XMLText.content(escapedForDisplay(metric.source)),
                figure: chart(metric, timeline), values: "metric\(index)")
        }
    }

    private func chart(_ metric: ServerMetric, _ timeline: LoadTimeline) -> String {
        var plot = Plot("\(Self.name(metric)) over time", height: 150, hasTimeAxis: true)
        let end = timeline.end
        let points = metric.samples.map { (Double($0.timeNanoseconds) / 1e9, $0.value) }
            .filter { (0...end).contains($0.0) }
        let x = Scale.seconds(end, from: Plot.left, to: Plot.right)
        let y = Scale.counts(
            max(points.map(\.1).max() ?? 0, 0), from: plot.bottom, to: Plot.top, label: Self.text)
        plot.addRows(y)
        LoadTimeCharts(columns: [], timeline: timeline).addPeriods(to: &plot)
        plot.addLine(
            points.map { (x.position($0.0), y.position(max($0.1, 0))) }, class: "s1",
            title: Self.name(metric))
        plot.addColumns(x)
        return plot.svg
    }

    // MARK: Values

    var headings: [LoadHTMLPage.ValueTable.Heading] {
        metrics.enumerated().map { index, metric in
            LoadHTMLPage.ValueTable.Heading(key: "metric\(index)", name: Self.name(metric))
        }
    }

    /// Returns the mean values for a period in seconds.
    func cells(_ seconds: Range<Int>) -> [String] {
        metrics.map { metric in
            let values = metric.samples.filter {
                let middle = Double($0.timeNanoseconds) / 1e9 - 0.5
                return middle >= Double(seconds.lowerBound) && middle < Double(seconds.upperBound)
            }.map(\.value)
            if values.isEmpty { return "–" }
            return Self.text(values.reduce(0, +) / Double(values.count))
        }
    }
}
