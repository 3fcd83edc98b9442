import Diagnostics
package import Results

/// Progress line of a load.
package struct LoadProgressText: Sendable {
    /// Number of seconds that the sparkline covers.
    static let sparkMax = 24

    private let operators: Int
    private var tails: [UInt64] = []
    private var lastSecond: LoadSecond?
    /// Factor by which the user has changed the rate.
    package var rateFactor = 1.0

    /// Creates the progress line of a load with `operators` operators in rooms; 0 if it only runs
    /// scenarios.
    package init(operators: Int) { self.operators = operators }

    /// Adds a completed second.
    package mutating func add(_ second: LoadSecond) {
        lastSecond = second
        tails.append(worst(second)?.percentile(99) ?? 0)
        if tails.count > Self.sparkMax { tails.removeFirst() }
    }

    private func worst(_ second: LoadSecond) -> LatencyHistogram? {
        second.latencies.values.max { $0.percentile(99) < $1.percentile(99) }
    }

    /// Returns the line in the form used in a log.
    package func plainLine(_ snapshot: LoadSnapshot, elapsed: Int64) -> String {
        "... \(words(snapshot)) after \(durationText(elapsed))\n"
    }

    /// Returns the line that is redrawn on a terminal, without a newline.
    package func liveLine(
        _ snapshot: LoadSnapshot, elapsed: Int64, columns: Int, style: Style
    ) -> String {
        let text = "  \(elapsed / 1_000_000_000) s  \(words(snapshot))  \(sparkline)"
        let look: Style.TextStyle? = snapshot.violations > 0 ? .red : .dim
        return ProgressText.erase + style(ColumnText.cutEnd(text, to: columns - 1), look)
    }

    private func words(_ snapshot: LoadSnapshot) -> String {
        // Virtual users that run scenarios are never counted as ready.
        var words =
            operators > 0
            ? ["\(grouped(UInt64(snapshot.ready))) of \(grouped(UInt64(operators))) ready"]
            : ["\(grouped(snapshot.sent)) runs, \(snapshot.open) in progress"]
        if rateFactor != 1 {
            words.append(
                "rate x\(decimal(Int64((rateFactor * 100).rounded()), per: 100, digits: 2))")
        }
        if snapshot.failed > 0 { words.append("\(grouped(UInt64(snapshot.failed))) failed") }
        if let second = lastSecond {
            words.append("\(grouped(second.sent))/s sent, \(grouped(second.arrived))/s arrived")
            if let worst = worst(second) {
                words.append(
                    "p50 \(durationText(Int64(worst.percentile(50)))) "
                        + "p99 \(durationText(Int64(worst.percentile(99)))) "
                        + "max \(durationText(Int64(clamping: worst.most)))")
            }
        }
        if snapshot.cut > 0 { words.append("\(grouped(snapshot.cut)) disconnected") }
        if snapshot.violations > 0 { words.append("\(grouped(snapshot.violations)) violations") }
        return words.joined(separator: ", ")
    }

    /// The 99th percentiles of the last seconds on a logarithmic scale, on which each step is twice
    /// the previous one.
    private var sparkline: String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let logs = tails.map { $0 == 0 ? 0 : 64 - $0.leadingZeroBitCount }
        let least = logs.filter { $0 > 0 }.min() ?? 0
        return String(logs.map { bars[min(max($0 - least, 0), bars.count - 1)] })
    }
}
