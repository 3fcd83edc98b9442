import Diagnostics
package import Results

/// A terminal report that compares two results.
package struct ComparisonText: Sendable {
    private let style: Style

    package init(style: Style = Style(isColoured: false)) { self.style = style }

    /// Returns the verdict in one or two words, and the rest of the headline.
    static func verdict(_ comparison: Comparison) -> (word: String, rest: String) {
        let tolerance = percent(comparison.tolerance)
        switch comparison.verdict {
        case .failed:
            let worse = comparison.figures.count { $0.finding == .worse }
            return ("WORSE", "\(counted(worse, "metric")) worse by more than \(tolerance)")
        case .inconclusive:
            return (
                "INCONCLUSIVE",
                comparison.doubts.isEmpty
                    ? "differences may come from the machine instead of the server"
                    : "the load generator was the bottleneck"
            )
        default:
            let better = comparison.figures.count { $0.finding == .better }
            let rest = better > 0 ? "; \(counted(better, "metric")) better" : ""
            let isSure = (comparison.detectableChange ?? 0) <= comparison.tolerance
            return (
                "NOT WORSE",
                "no metric is \(isSure ? "" : "significantly ")worse by more than \(tolerance)"
                    + rest
            )
        }
    }

    package func text(_ comparison: Comparison) -> String {
        let (word, rest) = Self.verdict(comparison)
        let look = VerdictStyle(comparison.verdict).look
        let (first, second) = comparison.letters
        var lines = [
            "\(first)  \(comparison.names.0)  " + style("(\(comparison.abouts.0))", .dim),
            "\(second)  \(comparison.names.1)  " + style("(\(comparison.abouts.1))", .dim), "",
            "\(style(word, look)): \(rest)", "",
        ]
        let title = "\(Self.percent(comparison.confidence)) CI of \(second) - \(first)"
        lines.append(style(row("", [first, second, "change"], "  " + title), .dim))
        for figure in comparison.figures {
            let (mark, look) = Self.mark(figure.finding)
            let cells = Self.cells(figure)
            let line = row(
                "\(figure.group) \(figure.name)", [cells.first, cells.second, cells.change],
                "  " + ColumnText.padded(cells.interval, to: title.count) + "  " + mark)
            lines.append(style(Self.trimmed(line), look))
        }
        let notes = comparison.allNotes
        if !notes.isEmpty { lines += [""] + notes.map { "  \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private func row(_ name: String, _ cells: [String], _ end: String) -> String {
        "  " + ColumnText.padded(name, to: 28)
            + cells.map { ColumnText.rightAligned($0, to: 11) }.joined() + end
    }

    static func mark(_ finding: Comparison.Finding) -> (text: String, Style.TextStyle?) {
        switch finding {
        case .worse: ("✗ worse", .red)
        case .better: ("✓ better", .green)
        case .unsure: ("? not significant", .yellow)
        case .same: ("", nil)
        case .shown: ("", .dim)
        }
    }

    // MARK: Cells

    typealias Cells = (first: String, second: String, change: String, interval: String)

    static func cells(_ figure: Comparison.Figure) -> Cells {
        let values = figure.values.map { $0.map { shown($0, figure.unit) } ?? "-" }
        let interval = figure.interval.map {
            "\(bound($0.low, figure)) … \(bound($0.high, figure))"
        }
        let change = figure.change.map { change in
            let text = percent(abs(change))
            return (change < 0 ? "-" : change > 0 ? "+" : "") + text
        }
        return (values.first ?? "-", values.last ?? "-", change ?? "", interval ?? "")
    }

    /// How many times the larger value a bound of an interval may be. Beyond that, the data do not
    /// limit the difference: with two or three pairs, intervals can be of any width.
    private static let boundFactorMax = 1_000.0

    private static func bound(_ value: Double, _ figure: Comparison.Figure) -> String {
        let largest = figure.values.compactMap { $0.map(abs) }.max() ?? 0
        guard largest > 0, abs(value) > largest * boundFactorMax else {
            return signed(value, figure.unit)
        }
        return value < 0 ? "-∞" : "+∞"
    }

    static func shown(_ value: Double, _ unit: Comparison.Unit) -> String {
        switch unit {
        case .nanoseconds: durationText(whole(value))
        case .perSecond: decimal(whole(value * 10), per: 10, digits: 1) + "/s"
        case .percent: decimal(whole(value * 10), per: 10, digits: 1) + "%"
        case .count: grouped(UInt64(clamping: whole(value)))
        case .bytes: decimal(whole(value / 104_857.6), per: 10, digits: 1) + " MiB"
        case .ratio: decimal(whole(value * 1000), per: 1000, digits: 2)
        }
    }

    private static func signed(_ value: Double, _ unit: Comparison.Unit) -> String {
        let text = shown(abs(value), unit)
        let isNothing = !text.contains { ("1"..."9").contains($0) }
        return (value < 0 && !isNothing ? "-" : "+") + text
    }

    static func percent(_ share: Double) -> String {
        let tenths = whole(share * 1000)
        return tenths % 10 == 0
            ? "\(tenths / 10)%" : decimal(tenths, per: 10, digits: 1) + "%"
    }
}

/// A Markdown report that compares two results, for a pull request comment.
package enum ComparisonMarkdown {
    /// Returns the complete comment.
    package static func text(_ comparison: Comparison) -> String {
        let (word, rest) = ComparisonText.verdict(comparison)
        let sign =
            switch comparison.verdict {
            case .failed: "❌"
            case .inconclusive: "❔"
            default: "✅"
            }
        let confidence = ComparisonText.percent(comparison.confidence)
        let (first, second) = comparison.letters
        var lines = [
            "### \(sign) linejudge compare: \(word.lowercased())", "",
            "\(rest.prefix(1).uppercased() + rest.dropFirst()).", "",
            "- **\(first)** \(escaped(comparison.names.0)) (\(escaped(comparison.abouts.0)))",
            "- **\(second)** \(escaped(comparison.names.1)) (\(escaped(comparison.abouts.1)))", "",
            "| metric | \(first) | \(second) | change | \(confidence) CI of \(second) − \(first) | |",
            "| --- | ---: | ---: | ---: | ---: | --- |",
        ]
        for figure in comparison.figures {
            let cells = ComparisonText.cells(figure)
            lines.append(
                "| \(escaped(figure.group)) \(escaped(figure.name)) | \(cells.first) "
                    + "| \(cells.second) | \(cells.change) | \(cells.interval) "
                    + "| \(mark(figure.finding)) |")
        }
        let notes = comparison.allNotes
        if !notes.isEmpty { lines += [""] + notes.map { "- \(escaped($0))" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func mark(_ finding: Comparison.Finding) -> String {
        switch finding {
        case .worse: "❌ worse"
        case .better: "✅ better"
        case .unsure: "❔ not significant"
        case .same, .shown: ""
        }
    }

    private static func escaped(_ text: String) -> String { MarkdownText.escaped(text) }
}
