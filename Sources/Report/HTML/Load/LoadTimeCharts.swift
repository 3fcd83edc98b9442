import Diagnostics
import Results

/// The charts of a load test over time. They share a time axis.
struct LoadTimeCharts {
    /// Number of shades in a heat map.
    static let shades = 10

    let columns: [LoadColumns.Column]
    let timeline: LoadTimeline

    private var x: Scale { Scale.seconds(timeline.end, from: Plot.left, to: Plot.right) }

    /// Draws the latency distribution in each column, with lines for p50, p99 and the thresholds.
    func heatMap(_ metric: String, limits: [LatencyLimit]) -> String {
        var plot = Plot(
            "Latency over time: \(metric), distribution in each second", hasTimeAxis: true)
        let filled = columns.compactMap { column in
            column.latencies[metric].flatMap { $0.count > 0 ? (column, $0) : nil }
        }
        let y = Scale.times(
            (filled.map(\.1.minimum) + limits.map(\.limit)).min() ?? 0,
            (filled.map(\.1.maximum) + limits.map(\.limit)).max() ?? 0,
            from: plot.bottom, to: Plot.top)
        plot.addRows(y)
        addPeriods(to: &plot)
        addCells(filled, y, &plot)
        for (line, name, value) in [
            ("s1", "p50", \LatencyColumn.median), ("s2", "p99", \LatencyColumn.p99),
        ] {
            // All messages that arrive during the drain are late, so their quantiles must not be
            // connected with those of the measurement period.
            let points = filled.filter { timeline.isMeasured($0.0) }.map { column, times in
                (x.position(column.middle), y.position(times[keyPath: value]))
            }
            plot.addLine(points, class: line, title: name)
        }
        for (column, times) in filled {
            plot.addDot(
                x.position(column.middle), y.position(times.maximum), class: "mark-max",
                title: "max: \(durationText(Int64(times.maximum)))")
        }
        for limit in limits {
            plot.addLimit(
                y.position(limit.limit), limit.text, class: limit.isBroken ? "broken" : "kept")
        }
        plot.addColumns(x)
        return plot.svg
    }

    /// Adds the cells of a heat map. All cells of a shade form a single path, because thousands of
    /// rectangles would make the page large.
    private func addCells(
        _ filled: [(LoadColumns.Column, LatencyColumn)], _ y: Scale, _ plot: inout Plot
    ) {
        var boxes = [[Plot.Box]](repeating: [], count: Self.shades + 1)
        for (column, times) in filled {
            let (left, right) = (
                x.position(Double(column.seconds.lowerBound)),
                x.position(Double(column.seconds.upperBound))
            )
            for (row, count) in times.rows {
                // The square root keeps infrequent latencies visible.
                let share = (Double(count) / Double(max(times.count, 1))).squareRoot()
                let shade = min(Int((share * Double(Self.shades)).rounded(.up)), Self.shades)
                boxes[shade].append(
                    Plot.Box(
                        x: left, y: y.position(LatencyColumn.lowerEdge(of: row + 1)),
                        right: right, bottom: y.position(LatencyColumn.lowerEdge(of: row))))
            }
        }
        for (shade, boxes) in boxes.enumerated() where !boxes.isEmpty {
            plot.addBoxes(
                boxes, class: "heat",
                opacity: 0.06 + 0.84 * (Double(shade) - 0.5) / Double(Self.shades))
        }
    }

    /// Draws the send rate and the requested rate.
    func rates() -> String {
        var plot = Plot("Send rate and requested rate over time", height: 220, hasTimeAxis: true)
        let rates = columns.compactMap { column in
            timeline.rate(column).map { (column, $0) }
        }
        let y = Scale.counts(
            max(rates.map(\.1).max() ?? 0, timeline.target.map(\.rate).max() ?? 0),
            from: plot.bottom, to: Plot.top, label: { grouped(UInt64(max($0, 0))) + "/s" })
        plot.addRows(y)
        addPeriods(to: &plot)
        let points = rates.flatMap { column, rate in
            let start = Double(column.seconds.lowerBound)
            return [start, start + timeline.length(column)].map {
                (x.position($0), y.position(rate))
            }
        }
        plot.addArea(points, class: "s1")
        plot.addLine(points, class: "s1", title: "sent")
        plot.addLine(
            timeline.target.map { (x.position($0.time), y.position($0.rate)) },
            class: "s2 dashed", title: "requested")
        for column in columns where column.violations > 0 {
            plot.addDot(
                x.position(min(column.middle, timeline.end)), plot.bottom - 6, class: "mark-bad",
                title: "\(grouped(column.violations)) violations")
        }
        plot.addColumns(x)
        return plot.svg
    }

    /// Marks the start of each stage, and shades the drain period.
    func addPeriods(to plot: inout Plot) {
        if let drainEnd = timeline.drainEnd {
            plot.addBox(
                x: x.position(timeline.measured)...x.position(drainEnd),
                y: Plot.top...plot.bottom, class: "drain", opacity: 0.12, title: "drain")
        }
        var free = 0.0
        for mark in timeline.marks where mark.time < timeline.end {
            let position = x.position(mark.time)
            let isFree = position >= free
            plot.addMark(position, label: isFree ? mark.label : "")
            if isFree { free = position + Plot.width(of: mark.label) + 12 }
        }
    }
}
