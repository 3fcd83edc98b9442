import Diagnostics
package import Results

/// Text reports that compare check baselines: either drift from a baseline, or differences between
/// two servers.
package struct BaselineText: Sendable {
    private let style: Style

    package init(style: Style = Style(isColoured: false)) { self.style = style }

    /// Describes how the results differ from the baseline.
    package func drift(_ drift: CheckResults.Drift) -> String {
        let comparison = drift.comparison
        let name = escapedForDisplay(drift.baseline)
        guard comparison.hasDrift else {
            return "\n" + style("✓ matches baseline \(name)", .green) + ": \(comparison.summary)\n"
                + notes(comparison)
        }
        return "\n" + style("✗ differs from baseline \(name)", .red) + ": \(comparison.summary)\n"
            + section("changed", comparison.changed, .red) + notes(comparison)
    }

    /// Renders a comparison of two servers' baselines, or of one server's baselines at different
    /// times.
    ///
    /// - Parameter names: File names of the two baselines.
    package func text(
        _ comparison: BaselineComparison, _ baselines: (CheckBaseline, CheckBaseline),
        names: (String, String)
    ) -> String {
        let (word, look): (String, Style.TextStyle) =
            comparison.hasDrift ? ("DIFFERENT", .red) : ("SAME", .green)
        var text = "A  \(names.0)  " + style("(\(Self.about(baselines.0)))", .dim) + "\n"
        text += "B  \(names.1)  " + style("(\(Self.about(baselines.1)))", .dim) + "\n\n"
        text += "\(style(word, look)): \(comparison.summary)\n"
        text += section("changed", comparison.changed, .red)
        return text + notes(comparison)
    }

    private func notes(_ comparison: BaselineComparison) -> String {
        section("varies", comparison.unsteady, .yellow)
            + section("inconclusive", comparison.undecided, .yellow)
            + section("missing", comparison.gone) + section("new", comparison.added)
    }

    private func section(
        _ title: String, _ pairs: [BaselineComparison.Pair], _ look: Style.TextStyle
    ) -> String {
        guard !pairs.isEmpty else { return "" }
        let names = pairs.map { escapedForDisplay("\($0.id)") }
        let width = names.map { ColumnText.width($0) }.max() ?? 0
        let rows = zip(names, pairs).map { name, pair in
            "    " + ColumnText.padded(name, to: width) + "  "
                + escapedForDisplay("\(pair.before)") + style(" → ", .dim)
                + escapedForDisplay("\(pair.now)") + "\n"
        }
        return "  " + style(title, look) + "\n" + rows.joined()
    }

    private func section(_ title: String, _ singles: [BaselineComparison.Single]) -> String {
        guard !singles.isEmpty else { return "" }
        let rows = singles.map {
            "    " + escapedForDisplay("\($0.id): \($0.measured)") + "\n"
        }
        return "  " + style(title, .cyan) + "\n" + rows.joined()
    }

    static func about(_ baseline: CheckBaseline) -> String {
        let server = baseline.server.isEmpty ? "" : "\(baseline.server), "
        return escapedForDisplay("\(server)\(baseline.dialect), linejudge \(baseline.toolVersion)")
    }
}

/// A Markdown report that compares two baselines, for a pull request comment.
package enum BaselineMarkdown {
    /// Returns the complete comment.
    package static func text(
        _ comparison: BaselineComparison, _ baselines: (CheckBaseline, CheckBaseline),
        names: (String, String)
    ) -> String {
        var lines = [
            "### \(comparison.hasDrift ? "❌" : "✅") linejudge compare: "
                + (comparison.hasDrift ? "different" : "same"), "",
            "\(comparison.summary.prefix(1).uppercased() + comparison.summary.dropFirst()).", "",
            "- **A** \(MarkdownText.escaped(names.0)) (\(MarkdownText.escaped(BaselineText.about(baselines.0))))",
            "- **B** \(MarkdownText.escaped(names.1)) (\(MarkdownText.escaped(BaselineText.about(baselines.1))))",
        ]
        if !(comparison.changed + comparison.unsteady + comparison.undecided).isEmpty
            || !(comparison.gone + comparison.added).isEmpty
        {
            lines += ["", "| check | A | B | |", "| --- | --- | --- | --- |"]
        }
        func row(_ id: CheckID, _ first: String, _ second: String, _ change: String) {
            let cells = ["\(id)", first, second].map { MarkdownText.escaped($0) }
            lines.append("| \(cells.joined(separator: " | ")) | \(change) |")
        }
        for pair in comparison.changed {
            row(pair.id, "\(pair.before)", "\(pair.now)", "❌ changed")
        }
        for pair in comparison.unsteady {
            row(pair.id, "\(pair.before)", "\(pair.now)", "❔ varies")
        }
        for pair in comparison.undecided {
            row(pair.id, "\(pair.before)", "\(pair.now)", "❔ inconclusive")
        }
        for single in comparison.gone { row(single.id, "\(single.measured)", "–", "only in A") }
        for single in comparison.added { row(single.id, "–", "\(single.measured)", "only in B") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension BaselineComparison {
    /// Summary of the differences, such as `2 of 129 checks changed, 1 missing`.
    var summary: String {
        let all = same + changed.count + undecided.count + unsteady.count
        var parts = [
            changed.isEmpty
                ? "\(counted(same, "check")) unchanged"
                : "\(changed.count) of \(counted(all, "check")) changed"
        ]
        func add(_ count: Int, _ words: String) {
            if count > 0 { parts.append("\(count) \(words)") }
        }
        add(unsteady.count, unsteady.count == 1 ? "varies" : "vary")
        add(undecided.count, "inconclusive")
        add(gone.count, "missing")
        add(added.count, "new")
        return parts.joined(separator: ", ")
    }
}
