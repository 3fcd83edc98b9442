import Diagnostics
import LineProtocol
package import Results

/// Report on the test of a dialect, as text for a terminal or a log.
package struct DialectTestText: Sendable {
    /// Maximum width of the titles' column. Longer titles extend beyond it.
    private static let titleColumns = 18
    /// Maximum number of bytes shown of an example line.
    private static let exampleBytesMax = 100
    /// Maximum number of undescribed commands shown.
    private static let commandsMax = 20

    private let style: Style
    /// Width of the terminal in columns; nil if the output is not a terminal.
    private let columns: Int?
    private let showsTranscripts: Bool

    package init(style: Style, columns: Int? = nil, showsTranscripts: Bool = false) {
        self.style = style
        self.columns = columns
        self.showsTranscripts = showsTranscripts
    }

    /// Returns the text printed before the first test.
    package func heading(_ results: DialectTestResults) -> String {
        let title =
            "linejudge \(results.toolVersion): dialect \(results.dialect) against "
            + results.server.summary
        return style(escapedForDisplay(title), .bold) + style(", seed \(results.seed)", .dim)
            + "\n\n"
    }

    /// Returns the line for a finished test.
    package func line(for test: DialectTestResults.Test) -> String {
        let look = VerdictStyle(test.verdict)
        let symbol = test.verdict == .skipped ? "–" : look.mark
        let head = style(symbol, look.look) + " "
        guard !test.note.isEmpty else { return head + escapedForDisplay(test.title) + "\n" }
        let title = ColumnText.padded(escapedForDisplay(test.title), to: Self.titleColumns)
        let margin = 2 + ColumnText.width(title) + 2
        let note = escapedForDisplay(test.note)
        let rows = columns.map { ColumnText.lines(note, columns: max(30, $0 - margin)) } ?? [note]
        let isQuiet = [.passed, .skipped].contains(test.verdict)
        let shown = rows.map { style($0, isQuiet ? .dim : nil) }
        let gap = "\n" + String(repeating: " ", count: margin)
        return head + title + "  " + shown.joined(separator: gap) + "\n"
    }

    /// Returns the text printed after the last test: explanations of the failures, the lines that
    /// the dialect does not describe, and the counts.
    package func ending(_ results: DialectTestResults) -> String {
        failures(results) + undescribed(results) + contradictions(results) + summary(results)
    }

    private func failures(_ results: DialectTestResults) -> String {
        let pretty = PrettyReport(
            style: style, columns: columns, showsTranscripts: showsTranscripts)
        return results.tests.compactMap { test in
            guard var result = test.result, test.verdict.needsExplanation else { return nil }
            result.verdict = test.verdict
            return "\n" + pretty.details(of: result)
        }.joined()
    }

    // MARK: Lines

    private func undescribed(_ results: DialectTestResults) -> String {
        guard !results.undescribed.isEmpty else { return "" }
        var text = heading("server lines that match no command of the dialect")
        for command in results.undescribed.prefix(Self.commandsMax) {
            text += row(command.deviation)
            text += "      " + escapedForDisplay(command.suggestion) + "\n"
        }
        let rest = results.undescribed.count - Self.commandsMax
        return text + (rest > 0 ? "  and \(counted(rest, "other command"))\n" : "")
    }

    private func contradictions(_ results: DialectTestResults) -> String {
        let others = results.commandTable.breaks.filter { $0.kind != "unknown-command" }
        guard !others.isEmpty else { return "" }
        return heading("server lines that violate the dialect")
            + others.prefix(Self.commandsMax).map(row).joined()
    }

    private func heading(_ text: String) -> String { "\n" + style("✗ \(text)", .red) + "\n" }

    private func row(_ item: SchemaReport.Deviation) -> String {
        let shown = escapedForDisplay(item.example.prefix(Self.exampleBytesMax))
        let more = item.example.count > Self.exampleBytesMax ? "…" : ""
        let source = item.location.map { "  (\($0.file))" } ?? ""
        return "  \(SchemaPhrases.sentence(item))  "
            + style("`\(shown)`\(more)\(escapedForDisplay(source))", .dim) + "\n"
    }

    // MARK: Summary

    private func summary(_ results: DialectTestResults) -> String {
        var text = "\n"
        if let interruption = results.interruption {
            let word = interruption == .terminated ? "terminated" : "interrupted"
            text += style("\(word): the remaining behaviours were not tested", .yellow) + "\n"
        }
        if !results.undeclared.isEmpty {
            let names = results.undeclared.joined(separator: ", ")
            text += style("not declared by the dialect: \(names)", .dim) + "\n"
        }
        if results.commandTable.lines > 0 {
            text += style(SchemaPhrases.hits(results.commandTable), .dim) + "\n"
        }
        let head = "\(counted(results.tests.count, "test")) in \(durationText(results.duration)):"
        let parts = Self.words.compactMap { verdict, word -> String? in
            let count = results.count(verdict)
            return count == 0 ? nil : style("\(count) \(word)", VerdictStyle(verdict).look)
        }
        return text + style(head, .bold) + " "
            + (parts.isEmpty ? "nothing ran" : parts.joined(separator: ", ")) + "\n"
    }

    private static let words: [(Verdict, String)] = [
        (.failed, "failed"), (.inconclusive, "inconclusive"), (.skipped, "not tested"),
        (.passed, "passed"),
    ]
}
