import Diagnostics
import Glibc
import Results

/// Load test charts that do not use the shared time axis.
enum LoadCharts {
    static let curvePoints = 160

    // MARK: Percentiles

    /// A line of the percentile chart.
    struct Curve {
        var name: String
        var `class`: String
        var times: SampleDistribution
    }

    /// Draws latencies by percentile, with lines for the thresholds.
    static func percentiles(_ curves: [Curve], limits: [LatencyLimit] = []) -> String {
        var plot = Plot("Latency by percentile: " + curves.map(\.name).joined(separator: ", "))
        let count = Double(curves.map(\.times.count).max() ?? 1)
        let nines = min(max(Int(log10(count).rounded(.up)), 2), 6)
        let x = Scale.nines(nines, from: Plot.left, to: Plot.right)
        let y = Scale.times(
            (curves.map { $0.times.quantile(0) } + limits.map(\.limit)).min() ?? 0,
            (curves.map { $0.times.quantile(1) } + limits.map(\.limit)).max() ?? 0,
            from: plot.bottom, to: Plot.top)
        plot.addRows(y)
        plot.addColumns(x, lines: true)
        for curve in curves {
            let last = min(Double(nines), log10(Double(curve.times.count) * 2))
            let points = (0...Self.curvePoints).map { index in
                let nine = Double(index) / Double(Self.curvePoints) * last
                return (x.position(nine), y.position(curve.times.quantile(1 - pow(10, -nine))))
            }
            plot.addLine(points, class: curve.class, title: curve.name)
        }
        for limit in limits {
            plot.addLimit(
                y.position(limit.limit), limit.text, class: limit.isBroken ? "broken" : "kept")
        }
        return plot.svg
    }

    // MARK: Operators

    /// Draws the numbers of connected operators and of operators in their rooms over time.
    static func ramp(_ points: [LoadResults.RampPoint], operators: Int) -> String {
        var plot = Plot("Operators connected and ready over time", height: 220)
        let end = Double(points.last?.timeNanoseconds ?? 0) / 1e9
        let x = Scale.seconds(end, from: Plot.left, to: Plot.right)
        let y = Scale.counts(
            Double(operators), from: plot.bottom, to: Plot.top,
            label: { grouped(UInt64(max($0, 0))) })
        plot.addRows(y)
        func line(_ value: (LoadResults.RampPoint) -> Int) -> [(x: Double, y: Double)] {
            points.map {
                (x.position(Double($0.timeNanoseconds) / 1e9), y.position(Double(value($0))))
            }
        }
        plot.addArea(line(\.ready), class: "s3")
        plot.addLine(line(\.connected), class: "s1 dashed", title: "connected")
        plot.addLine(line(\.ready), class: "s3", title: "in rooms")
        if points.contains(where: { $0.failed > 0 }) {
            plot.addLine(line(\.failed), class: "bad", title: "failed")
        }
        plot.addColumns(x)
        return plot.svg
    }

    // MARK: Fan-out

    /// Draws, for each metric, a line from p1 to the maximum, a bar from p10 to p90, and markers
    /// for p50 and p99.
    static func fanOut(_ rows: [(name: String, times: SampleDistribution)]) -> String {
        var plot = Plot(
            "Time until the first member, half of the members and the last member of a room received a message",
            height: Double(rows.count) * 44 + 48)
        let x = Scale.times(
            rows.map { $0.times.quantile(0.01) }.min() ?? 0,
            rows.map { $0.times.quantile(1) }.max() ?? 0,
            from: Plot.left + 80, to: Plot.right)
        plot.addColumns(x, lines: true)
        for (index, row) in rows.enumerated() {
            let y = Plot.top + 22 + Double(index) * 44
            plot.addText(row.name, Plot.left + 68, y + 4.5, anchor: "end", class: "strong")
            func at(_ share: Double) -> Double { x.position(row.times.quantile(share)) }
            plot.addBox(x: at(0.01)...at(1), y: (y - 1)...(y + 1), class: "s1-fill", opacity: 0.5)
            plot.addBox(
                x: at(0.1)...at(0.9), y: (y - 9)...(y + 9), class: "s1-fill", opacity: 0.3,
                title: "p10 to p90")
            plot.addBox(
                x: (at(0.5) - 1.5)...(at(0.5) + 1.5), y: (y - 12)...(y + 12), class: "s1-fill",
                title: "p50: \(durationText(Int64(row.times.quantile(0.5))))")
            plot.addDot(
                at(0.99), y, class: "s2-fill",
                title: "p99: \(durationText(Int64(row.times.quantile(0.99))))")
        }
        return plot.svg
    }
}
