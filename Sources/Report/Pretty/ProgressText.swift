import Diagnostics
package import Results

/// Progress line of a run.
package struct ProgressText: Sendable {
    /// Interval between progress lines, in nanoseconds, if the output is not a terminal.
    package static let plainInterval: Int64 = 10_000_000_000

    /// Terminal codes that erase the current line.
    package static let erase = "\r\u{1B}[2K"

    /// Title of the most recently started scenario.
    package var current: String?
    private var counts: [Verdict: Int] = [:]
    private var done = 0
    private let total: Int

    /// Creates the progress line of a run of `total` scenarios.
    package init(total: Int) { self.total = total }

    /// Adds the verdict of a finished scenario.
    package mutating func add(_ verdict: Verdict) {
        counts[verdict, default: 0] += 1
        done += 1
    }

    /// Returns the line in the form used in a log.
    package func plainLine(elapsed: Int64) -> String {
        "... \(done) of \(total) done after \(durationText(elapsed))\(problems)\n"
    }

    /// Returns the line that is redrawn on a terminal, without a newline.
    package func liveLine(elapsed: Int64, columns: Int, style: Style) -> String {
        var text = "  \(done) of \(total)\(problems), \(elapsed / 1_000_000_000) s"
        if let current { text += ": " + escapedForDisplay(current) }
        return Self.erase + style(ColumnText.cutEnd(text, to: columns - 1), .dim)
    }

    private var problems: String {
        let words = Verdict.byUrgency.filter { $0.needsExplanation }.compactMap { verdict in
            counts[verdict].map {
                counted($0, VerdictStyle(verdict).singular, VerdictStyle(verdict).plural)
            }
        }
        return words.isEmpty ? "" : ", " + words.joined(separator: ", ")
    }
}
