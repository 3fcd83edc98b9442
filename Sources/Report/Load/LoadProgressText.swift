import Diagnostics
package import Results

/// Progress line of a load test.
package struct LoadProgressText: Sendable {
    /// Number of seconds in the sparkline.
    static let sparkMax = 24

    private var tails: [UInt64] = []
    private var lastSecond: LoadSecond?

    package init() {}

    package mutating func add(_ second: LoadSecond) {
        lastSecond = second
        tails.append(worst(second)?.percentile(99) ?? 0)
        if tails.count > Self.sparkMax { tails.removeFirst() }
    }

    private func worst(_ second: LoadSecond) -> LatencyHistogram? {
        second.latencies.values.max { $0.percentile(99) < $1.percentile(99) }
    }

    /// Returns the progress line as written to a log.
    package func plainLine(_ snapshot: LoadSnapshot, _ progress: LoadProgress) -> String {
        "... \(([Self.position(progress)] + figures(snapshot, progress)).joined(separator: ", "))\n"
    }

    /// Returns the progress line as redrawn on a terminal, without a newline.
    package func liveLine(
        _ snapshot: LoadSnapshot, _ progress: LoadProgress, columns: Int, style: Style
    ) -> String {
        let figures = figures(snapshot, progress).joined(separator: ", ")
        let text = "  \(Self.position(progress))  \(figures)  \(sparkline)"
        let look: Style.TextStyle? = snapshot.violations > 0 ? .red : .dim
        return ProgressText.erase + style(ColumnText.cutEnd(text, to: columns - 1), look)
    }

    /// Returns the phase of the load test and, while it is measuring, the elapsed, total and
    /// remaining time and the percentage.
    static func position(_ progress: LoadProgress) -> String {
        switch progress.phase {
        case .connecting: return "connecting"
        case .warmup: return "warming up"
        case .draining: return "waiting for messages in flight"
        case .ended: return "ended"
        case .measuring:
            let total = progress.duration
            let (done, rest) = (wholeSeconds(progress.elapsed), wholeSeconds(progress.remaining))
            return
                "\(done) of \(total < 1_000_000_000 ? durationText(total) : wholeSeconds(total)) "
                + "(\(Int(progress.share * 100))%), \(rest) left"
        }
    }

    /// Formats a time in whole seconds, such as `42 s`, `2 min 5 s` or `1 h 10 min`.
    private static func wholeSeconds(_ nanoseconds: Int64) -> String {
        let seconds = (max(nanoseconds, 0) + 500_000_000) / 1_000_000_000
        return seconds < 60 ? "\(seconds) s" : durationText(seconds * 1_000_000_000)
    }

    /// Returns the progress without the figures, for a page that shows them elsewhere.
    static func words(_ progress: LoadProgress, _ snapshot: LoadSnapshot) -> String {
        var words = [position(progress)]
        if progress.phase == .connecting, progress.operators > 0 {
            words.append(ready(snapshot, progress))
        }
        words += changes(progress)
        return words.joined(separator: ", ")
    }

    private static func ready(_ snapshot: LoadSnapshot, _ progress: LoadProgress) -> String {
        let (ready, all) = (max(snapshot.ready, 0), max(progress.operators, 0))
        return "\(grouped(UInt64(ready))) of \(grouped(UInt64(all))) ready"
    }

    private static func changes(_ progress: LoadProgress) -> [String] {
        var words: [String] = []
        if progress.rateFactor != 1 {
            let factor = decimal(whole(progress.rateFactor * 100), per: 100, digits: 2)
            words.append("rate x\(factor)")
        }
        if progress.isPaused { words.append("paused") }
        return words
    }

    private func figures(_ snapshot: LoadSnapshot, _ progress: LoadProgress) -> [String] {
        // Virtual users, which run scenarios, are never counted as ready.
        var words =
            progress.operators > 0
            ? [Self.ready(snapshot, progress)]
            : ["\(grouped(snapshot.sent)) runs, \(snapshot.open) in progress"]
        words += Self.changes(progress)
        if snapshot.failed > 0 { words.append("\(grouped(UInt64(snapshot.failed))) failed") }
        if let second = lastSecond {
            words.append("\(grouped(second.sent))/s sent, \(grouped(second.arrived))/s arrived")
            if let worst = worst(second) {
                words.append(
                    "p50 \(durationText(Int64(worst.percentile(50)))) "
                        + "p99 \(durationText(Int64(worst.percentile(99)))) "
                        + "max \(durationText(Int64(clamping: worst.maximum)))")
            }
        }
        if snapshot.disconnected > 0 {
            words.append("\(grouped(snapshot.disconnected)) disconnected")
        }
        if snapshot.violations > 0 { words.append("\(grouped(snapshot.violations)) violations") }
        return words
    }

    /// Sparkline of the 99th percentiles of the last seconds. Its scale is logarithmic: each step
    /// represents twice the latency of the step below.
    private var sparkline: String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let logs = tails.map { $0 == 0 ? 0 : 64 - $0.leadingZeroBitCount }
        let lowest = logs.filter { $0 > 0 }.min() ?? 0
        return String(logs.map { bars[min(max($0 - lowest, 0), bars.count - 1)] })
    }
}
