import Diagnostics
package import Results

/// How far a run has come.
package struct ProgressText: Sendable {
    /// How often a place that is no terminal is told, in nanoseconds.
    package static let plainInterval: Int64 = 10_000_000_000

    /// Erases the line in which the cursor stands.
    package static let erase = "\r\u{1B}[2K"

    /// The title of the scenario that began last.
    package var current: String?
    private var counts: [Verdict: Int] = [:]
    private var done = 0
    private let total: Int

    /// The progress of so many scenarios.
    package init(total: Int) { self.total = total }

    /// Takes a scenario that is over.
    package mutating func add(_ verdict: Verdict) {
        counts[verdict, default: 0] += 1
        done += 1
    }

    /// The line for a log.
    package func plainLine(elapsed: Int64) -> String {
        "... \(done) of \(total) done after \(durationText(elapsed))\(bad)\n"
    }

    /// The line that is written over and over on a terminal, without a line end.
    package func liveLine(elapsed: Int64, columns: Int, style: Style) -> String {
        var text = "  \(done) of \(total)\(bad), \(elapsed / 1_000_000_000) s"
        if let current { text += ": " + escapedForDisplay(current) }
        return Self.erase + style(ColumnText.cutEnd(text, to: columns - 1), .dim)
    }

    private var bad: String {
        let words = Verdict.byUrgency.filter { $0.wantsExplaining }.compactMap { verdict in
            counts[verdict].map {
                counted($0, VerdictStyle(verdict).singular, VerdictStyle(verdict).plural)
            }
        }
        return words.isEmpty ? "" : ", " + words.joined(separator: ", ")
    }
}
