package import Results

/// A renderer for transcripts in columns: time, operator, arrow, text.
///
///       0.0 ms  alice  ·  connected
///       0.4 ms  alice  →  NICK alice
///     > 3.1 ms  alice  ←  :irc.local 001 alice :Welcome
///
/// The line that decided a failure is marked with `>`.
package struct TranscriptText: Sendable {
    static let nameColumnsMax = 20
    /// A renderer without colours or line wrapping.
    static let plain = TranscriptText(style: Style(isColoured: false), columns: nil)

    package var style: Style
    /// Terminal width for wrapping long lines; nil to disable wrapping.
    package var columns: Int?

    package init(style: Style, columns: Int?) {
        self.style = style
        self.columns = columns
    }

    /// Renders the transcript. Each line ends with a newline.
    ///
    /// - Parameter decisive: Index of the entry to mark as the cause of the failure; nil to mark
    ///   none.
    package func text(_ transcript: [TranscriptEntry], decisive: Int? = nil) -> String {
        text(of: TranscriptLine.lines(of: transcript, decisive: decisive))
    }

    /// Renders lines, each ending with a newline.
    func text(of lines: [TranscriptLine]) -> String {
        let time = lines.map(\.time.count).max() ?? 0
        let names = lines.map { ColumnText.cutEnd($0.operatorName, to: Self.nameColumnsMax) }
        let name = names.map { ColumnText.width($0) }.max() ?? 0
        let margin = String(repeating: " ", count: 4 + time + 3 + 2 + name + 2 + 1 + 2)
        var text = ""
        for (line, shownName) in zip(lines, names) {
            let head =
                (line.isDecisive ? "  " + style(">", .red) + " " : "    ")
                + style(ColumnText.rightAligned(line.time, to: time) + " ms", .dim) + "  "
                + style(ColumnText.padded(shownName, to: name), .bold) + "  "
                + style(line.arrow, look(of: line)) + "  "
            text += rows(of: line).enumerated()
                .map { ($0.offset == 0 ? head : margin) + $0.element + "\n" }.joined()
        }
        return text

        func rows(of line: TranscriptLine) -> [String] {
            let width = columns.map { max(20, $0 - margin.count) }
            var rows = wrapped(line.text, width).map { style($0, line.isEvent ? .dim : nil) }
            if let payload = line.payload {
                rows += wrapped("+ payload: " + payload, width).map { style($0, .cyan) }
            }
            if let note = line.note { rows[0] += style("  (\(note))", .dim) }
            return rows
        }
    }

    private func wrapped(_ text: String, _ width: Int?) -> [String] {
        width.map { ColumnText.pieces(text, columns: $0) } ?? [text]
    }

    private func look(of line: TranscriptLine) -> Style.TextStyle? {
        switch line.arrow {
        case "→": .green
        case "←": .cyan
        default: .dim
        }
    }
}
