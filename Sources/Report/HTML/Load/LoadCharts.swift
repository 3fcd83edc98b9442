import Diagnostics
import Glibc
import Results

/// The charts for a load.
struct LoadCharts {
    /// Number of points drawn per curve.
    static let curvePoints = 160
    /// Maximum number of columns in a heat map. In longer loads, a column covers several seconds.
    static let columnsMax = 120
    /// Number of rows per decade in a heat map.
    static let rowsPerDecade = 12.0

    let results: LoadResults

    // MARK: Percentiles

    /// A line of the percentile chart.
    struct Curve {
        var name: String
        var `class`: String
        var times: SampleDistribution
    }

    /// Draws latencies by percentile.
    static func percentiles(_ curves: [Curve]) -> String {
        var plot = Plot("Latency by percentile: " + curves.map(\.name).joined(separator: ", "))
        let count = Double(curves.map(\.times.count).max() ?? 1)
        let nines = min(max(Int(log10(count).rounded(.up)), 2), 6)
        let x = Scale.nines(nines, from: Plot.left, to: Plot.right)
        let y = Scale.times(
            curves.map { $0.times.quantile(0) }.min() ?? 0,
            curves.map { $0.times.quantile(1) }.max() ?? 0, from: plot.bottom, to: Plot.top)
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
        return plot.svg
    }

    // MARK: Over time

    /// A column in a chart over time, which covers one or more seconds.
    struct Column {
        var seconds: Range<Int>
        var sent: UInt64 = 0
        var arrived: UInt64 = 0
        var violations: UInt64 = 0
        var times = LatencyHistogram()
    }

    /// Groups the seconds into at most ``columnsMax`` columns.
    func columns(_ measure: String?) throws -> [Column] {
        guard let last = results.seconds.map(\.second).max(), last >= 0 else { return [] }
        let size = last / Self.columnsMax + 1
        var columns = stride(from: 0, through: last, by: size).map {
            Column(seconds: $0..<min($0 + size, last + 1))
        }
        for second in results.seconds where second.second >= 0 {
            let index = second.second / size
            columns[index].sent &+= second.sent
            columns[index].arrived &+= second.arrived
            columns[index].violations &+= second.violations
            if let times = measure.flatMap({ second.latencies[$0] }) {
                columns[index].times.merge(try times.decoded())
            }
        }
        return columns
    }

    /// Draws the latency distribution of each second, with p50 and p99 as lines.
    static func heatMap(_ columns: [Column], named name: String) -> String {
        var plot = Plot("Latency over time of \(name): distribution in each second")
        let spreads = columns.map { SampleDistribution($0.times.values) }
        let filled = spreads.filter { $0.count > 0 }
        let end = Double(columns.last?.seconds.upperBound ?? 1)
        let x = Scale.seconds(end, from: Plot.left, to: Plot.right)
        let y = Scale.times(
            filled.map { $0.quantile(0) }.min() ?? 0, filled.map { $0.quantile(1) }.max() ?? 0,
            from: plot.bottom, to: Plot.top)
        plot.addRows(y)
        for column in columns { addCells(column, x, y, &plot) }
        plot.addColumns(x)
        for (share, name, line) in [
            (0.5, "p50", "s1"), (0.99, "p99", "s2"),
        ] {
            let points = zip(columns, spreads).filter { $0.1.count > 0 }.map { column, spread in
                (middle(column, x), y.position(spread.quantile(share)))
            }
            plot.addLine(points, class: line, title: name)
        }
        for (column, spread) in zip(columns, spreads) where spread.count > 0 {
            plot.addDot(
                middle(column, x), y.position(spread.quantile(1)), class: "mark-max",
                title: "max: \(durationText(Int64(spread.quantile(1))))")
        }
        return plot.svg
    }

    private static func middle(_ column: Column, _ x: Scale) -> Double {
        (x.position(Double(column.seconds.lowerBound))
            + x.position(Double(column.seconds.upperBound)))
            / 2
    }

    private static func addCells(_ column: Column, _ x: Scale, _ y: Scale, _ plot: inout Plot) {
        var cells: [Int: UInt64] = [:]
        for (value, count) in column.times.values {
            cells[
                Int((log10(Double(max(value, 1_000))) * rowsPerDecade).rounded(.down)), default: 0] +=
                count
        }
        let total = Double(max(column.times.count, 1))
        let (left, right) = (
            x.position(Double(column.seconds.lowerBound)),
            x.position(Double(column.seconds.upperBound))
        )
        for (row, count) in cells.sorted(by: { $0.key < $1.key }) {
            let high = y.position(pow(10, Double(row + 1) / rowsPerDecade))
            let low = y.position(pow(10, Double(row) / rowsPerDecade))
            // The square root keeps rare samples visible.
            let opacity = 0.08 + 0.82 * (Double(count) / total).squareRoot()
            plot.addBox(x: left...right, y: high...low, class: "heat", opacity: opacity)
        }
    }

    /// Draws the send rate and the target rate.
    static func rates(
        _ columns: [Column], target: [(time: Double, rate: Double)], measured: Double
    ) -> String {
        var plot = Plot("Send rate and target rate over time", height: 220)
        // The last second may be incomplete.
        func length(_ column: Column) -> Double {
            let end = min(Double(column.seconds.upperBound), measured)
            return max(end - Double(column.seconds.lowerBound), 0)
        }
        let whole = columns.filter { length($0) > 0.05 }
        let rates = whole.map { Double($0.sent) / length($0) }
        let end = min(Double(columns.last?.seconds.upperBound ?? 1), max(measured, 1))
        let x = Scale.seconds(end, from: Plot.left, to: Plot.right)
        let y = Scale.counts(
            max(rates.max() ?? 0, target.map(\.rate).max() ?? 0), from: plot.bottom, to: Plot.top,
            label: { grouped(UInt64(max($0, 0))) + "/s" })
        plot.addRows(y)
        let points = zip(whole, rates).flatMap { column, rate in
            [Double(column.seconds.lowerBound), min(Double(column.seconds.upperBound), end)].map {
                (x.position($0), y.position(rate))
            }
        }
        plot.addArea(points, class: "s1")
        plot.addLine(points, class: "s1", title: "sent")
        plot.addLine(
            target.map { (x.position($0.time), y.position($0.rate)) }, class: "s2 dashed",
            title: "target")
        plot.addColumns(x)
        for column in whole where column.violations > 0 {
            plot.addDot(
                middle(column, x), plot.bottom - 6, class: "mark-bad",
                title: "\(grouped(column.violations)) violations")
        }
        return plot.svg
    }

    /// Draws the numbers of operators that are connected and in rooms, over time.
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

    /// Draws a bar from p10 to p90 for each measure, with marks for p50, p99 and the full range.
    static func fanOut(_ rows: [(name: String, times: SampleDistribution)]) -> String {
        var plot = Plot(
            "Time until the first, half and the last of the members received a message",
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
