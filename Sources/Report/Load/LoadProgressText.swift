package import Results

/// How a load goes, in a line.
package struct LoadProgressText: Sendable {
    /// The seconds that the sparkline shows.
    static let sparkMax = 24

    private let operators: Int
    private var tails: [UInt64] = []
    private var lastSecond: LoadSecond?
    /// What somebody has made of the rate.
    package var rateFactor = 1.0

    /// The progress of a load with so many operators in rooms.
    package init(operators: Int) { self.operators = operators }

    /// Takes a second that is over.
    package mutating func add(_ second: LoadSecond) {
        lastSecond = second
        tails.append(worst(second)?.percentile(99) ?? 0)
        if tails.count > Self.sparkMax { tails.removeFirst() }
    }

    private func worst(_ second: LoadSecond) -> LatencyHistogram? {
        second.latencies.values.max { $0.percentile(99) < $1.percentile(99) }
    }

    /// The line for a log.
    package func plainLine(_ moment: LoadSnapshot, elapsed: Int64) -> String {
        "... \(words(moment)) after \(durationText(elapsed))\n"
    }

    /// The line that is written over and over on a terminal, without a line end.
    package func liveLine(
        _ moment: LoadSnapshot, elapsed: Int64, columns: Int, style: Style
    ) -> String {
        let text = "  \(elapsed / 1_000_000_000) s  \(words(moment))  \(sparkline)"
        let look: Style.TextStyle? = moment.violations > 0 ? .red : .dim
        return ProgressText.erase + style(ColumnText.cutEnd(text, to: columns - 1), look)
    }

    private func words(_ moment: LoadSnapshot) -> String {
        // Who plays scenarios need not be ready for anything.
        var words =
            operators > 0
            ? ["\(grouped(UInt64(moment.ready))) of \(grouped(UInt64(operators))) ready"]
            : ["\(grouped(moment.sent)) plays, \(moment.open) under way"]
        if rateFactor != 1 {
            words.append(
                "rate x\(decimal(Int64((rateFactor * 100).rounded()), per: 100, places: 2))")
        }
        if moment.failed > 0 { words.append("\(grouped(UInt64(moment.failed))) failed") }
        if let second = lastSecond {
            words.append("\(grouped(second.sent))/s sent, \(grouped(second.arrived))/s arrived")
            if let worst = worst(second) {
                words.append(
                    "p50 \(durationText(Int64(worst.percentile(50)))) "
                        + "p99 \(durationText(Int64(worst.percentile(99)))) "
                        + "max \(durationText(Int64(clamping: worst.most)))")
            }
        }
        if moment.cut > 0 { words.append("\(grouped(moment.cut)) cut") }
        if moment.violations > 0 { words.append("\(grouped(moment.violations)) violations") }
        return words.joined(separator: ", ")
    }

    /// The 99th percentiles of the last seconds, in steps of doubling.
    private var sparkline: String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let logs = tails.map { $0 == 0 ? 0 : 64 - $0.leadingZeroBitCount }
        let least = logs.filter { $0 > 0 }.min() ?? 0
        return String(logs.map { bars[min(max($0 - least, 0), bars.count - 1)] })
    }
}
