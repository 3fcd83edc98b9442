import Diagnostics
package import Results

/// Terminal summary of repeated load tests of one server, or of two servers.
package struct RepeatedLoadText: Sendable {
    private let style: Style

    package init(style: Style) { self.style = style }

    /// Returns the comparison of two servers, or a table of one server's load tests.
    package func text(_ loads: RepeatedLoad) throws -> String {
        var parts: [String] = []
        if let comparison = try loads.comparison() {
            parts.append(ComparisonText(style: style).text(comparison))
        } else if let side = loads.sides.first, !side.loads.isEmpty {
            parts.append(try table(side))
        }
        let failed = loads.sides.flatMap { side in
            side.loads.enumerated().filter { $0.element.verdict == .failed }.map { index, load in
                "  \(escapedForDisplay(side.name)), load test \(index + 1) failed: "
                    + load.reasons.joined(separator: "; ") + "\n"
            }
        }
        if !failed.isEmpty { parts.append(style(failed.joined(), .red)) }
        if let ending = Self.earlyEnd(loads) {
            parts.append(style(escapedForDisplay(ending), .yellow) + "\n")
        }
        return "\n" + parts.joined(separator: "\n")
    }

    /// Returns a phrase about load tests that a signal ended early, not escaped; nil if none did.
    static func earlyEnd(_ loads: RepeatedLoad) -> String? {
        guard let interruption = loads.interruption else { return nil }
        let noun = loads.sides.count > 1 ? "pair of load tests" : "load test"
        let isEmpty = loads.sides.allSatisfy(\.loads.isEmpty)
        return interruption + ": "
            + (isEmpty ? "no \(noun) was complete" : "the last \(noun) is left out")
    }

    /// Returns the line to print when a load test has ended.
    ///
    /// - Parameters:
    ///   - letter: The server's letter in the comparison; empty if there is only one server.
    ///   - number: Number of the load test, starting at 1.
    package func line(_ load: LoadResults, letter: String, number: Int, of count: Int) -> String {
        let look = VerdictStyle(load.verdict).look
        let figures = Self.figures(load).map { "\($0.name) \($0.value)" }
        return "  " + ColumnText.rightAligned("\(number)/\(count)", to: 7) + "  "
            + ColumnText.padded(letter, to: letter.isEmpty ? 0 : 3)
            + style(ColumnText.padded(load.verdict.rawValue, to: 14), look)
            + figures.joined(separator: "  ") + "\n"
    }

    /// Returns the key figures of a load test.
    private static func figures(_ load: LoadResults) -> [(name: String, value: String)] {
        var figures = [("sent", LoadSummary.rate(load.traffic.rate))]
        let measure = [LatencyMetric.say, .relay, .probe, .iteration].first {
            load.response($0) != nil
        }
        if let measure, let times = load.response(measure) {
            figures.append(("p50(\(measure.name))", durationText(Int64(clamping: times.p50))))
            figures.append(("p99(\(measure.name))", durationText(Int64(clamping: times.p99))))
        }
        if let time = load.serverTimePerMessage {
            figures.append(("server CPU/message", durationText(whole(time))))
        }
        return figures
    }

    private func table(_ side: RepeatedLoad.Side) throws -> String {
        let rows = try GroupSummary(side.loads).rows
        let head = row("", ["median", "lowest", "highest", "deviation"])
        return "\(counted(side.loads.count, "load test")) of \(escapedForDisplay(side.name))\n\n"
            + style(head, .dim) + "\n" + rows.map { row($0.name, $0.cells) + "\n" }.joined()
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        "  " + ColumnText.padded(name, to: 28)
            + cells.map { ColumnText.rightAligned($0, to: 12) }.joined()
    }

    /// Returns one server's load tests as a Markdown table.
    static func markdown(_ loads: RepeatedLoad) throws -> String {
        guard let side = loads.sides.first else { return "" }
        let heading =
            "### linejudge load: \(counted(side.loads.count, "load test")) of "
            + MarkdownText.escaped(side.name)
        if side.loads.isEmpty { return heading + "\n" }
        let rows = try GroupSummary(side.loads).rows.map { row in
            "| \(MarkdownText.escaped(row.name)) | \(row.cells.joined(separator: " | ")) |"
        }
        let head = [
            heading, "", "| metric | median | lowest | highest | deviation |",
            "| --- | ---: | ---: | ---: | ---: |",
        ]
        return (head + rows).joined(separator: "\n") + "\n"
    }
}

/// Figures of repeated load tests of one server.
private struct GroupSummary {
    var rows: [(name: String, cells: [String])]

    init(_ loads: [LoadResults]) throws {
        rows = try Comparison.figures(of: loads).map { figure in
            let values = figure.values
            let middle = median(values)
            let mean = values.reduce(0, +) / Double(max(values.count, 1))
            let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            let deviation = (squares / Double(max(values.count - 1, 1))).squareRoot()
            let share = mean > 0 ? ComparisonText.percent(deviation / mean) : "–"
            return (
                "\(figure.group) \(figure.name)",
                [middle, values.min() ?? 0, values.max() ?? 0].map {
                    ComparisonText.shown($0, figure.unit)
                } + [share]
            )
        }
    }
}
