import Diagnostics
package import Results

/// Reports on how a server's answers differ in two captures.
package struct CaptureComparisonText: Sendable {
    private let style: Style

    package init(style: Style = Style(isColoured: false)) { self.style = style }

    /// Returns the verdict in a word, and the rest of the headline.
    private static func verdict(_ comparison: CaptureComparison) -> (word: String, rest: String) {
        let conversations = counted(comparison.conversations, "conversation")
        let scope = "\(conversations), \(counted(comparison.requests, "client line"))"
        switch comparison.verdict {
        case .failed:
            return (
                "DIFFERENT", "\(counted(comparison.differences.count, "difference")) in \(scope)"
            )
        case .inconclusive where comparison.requests == 0:
            return ("INCONCLUSIVE", "the captures have no conversation in common")
        case .inconclusive:
            return ("INCONCLUSIVE", "no differences in the \(scope) that could be read")
        default: return ("SAME", "no differences in \(scope)")
        }
    }

    /// Returns the report for a terminal.
    package func text(_ comparison: CaptureComparison) -> String {
        let (word, rest) = Self.verdict(comparison)
        let look: Style.TextStyle = VerdictStyle(comparison.verdict).look
        var text = ""
        for capture in comparison.captures {
            text += "\(capture.letter)  \(escapedForDisplay(capture.name))  "
            text += style("(\(Self.about(capture, comparison)))", .dim) + "\n"
        }
        text += "\n\(style(word, look)): \(rest)\n"
        for difference in comparison.differences {
            text += "\n" + style("✗", .red) + " \(Self.words(difference))\n"
            if let example = difference.example { text += lines(example) }
        }
        if !comparison.varying.isEmpty {
            text += "\n" + style("may vary from run to run", .yellow) + "\n"
            for difference in comparison.varying {
                text += "    \(Self.words(difference))\n"
            }
        }
        if !comparison.notes.isEmpty {
            text += "\n" + comparison.notes.map { "  \($0)\n" }.joined()
        }
        return text
    }

    private static func words(_ difference: CaptureComparison.Difference) -> String {
        difference.text { "`\(escapedForDisplay($0))`" }
    }

    private static func about(
        _ capture: CaptureComparison.Capture, _ comparison: CaptureComparison
    ) -> String {
        "\(escapedForDisplay(comparison.dialect)), "
            + "\(counted(capture.conversations, "conversation")), \(counted(capture.lines, "line"))"
    }

    private func lines(_ example: CaptureComparison.Example) -> String {
        [("A", example.request), ("A", example.before), ("B", example.after)].compactMap {
            letter, line in
            line.map { line in
                let origin = Self.origin(line)
                return "    \(letter)  " + style(origin, .dim)
                    + "  \(escapedForDisplay(line.text))\n"
            }
        }.joined()
    }

    private static func origin(_ line: CaptureComparison.Line) -> String {
        let time = line.time.map { " \($0.prefix(26).dropFirst(11))" } ?? ""
        let name = line.operator.isEmpty ? "" : " \(escapedForDisplay(line.operator))"
        return "packet \(line.packet)\(time) #\(line.connection)\(name)"
    }

    /// Returns the report in Markdown, for a pull request comment.
    package static func markdown(_ comparison: CaptureComparison) -> String {
        let (word, rest) = verdict(comparison)
        let sign =
            switch comparison.verdict {
            case .failed: "❌"
            case .inconclusive: "❔"
            default: "✅"
            }
        var lines = ["### \(sign) linejudge compare: \(word.lowercased())", "", "\(rest).", ""]
        lines += comparison.captures.map {
            "- **\($0.letter)** \(MarkdownText.escaped($0.name)) "
                + "(\(MarkdownText.escaped(about($0, comparison))))"
        }
        lines.append("")
        lines += comparison.differences.map { "- ❌ " + $0.text(MarkdownText.escaped) }
        lines += comparison.varying.map { "- ❔ " + $0.text(MarkdownText.escaped) }
        lines += comparison.notes.map { "- \(MarkdownText.escaped($0))" }
        return lines.joined(separator: "\n") + "\n"
    }
}
