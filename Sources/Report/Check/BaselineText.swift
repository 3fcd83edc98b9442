import Diagnostics
package import Results

/// Two locks side by side, for people: drift from what was pinned, or a migration from one server to another.
package struct BaselineText: Sendable {
    private let style: Style

    /// In colour or not.
    package init(style: Style = Style(isColoured: false)) { self.style = style }

    /// What of a server is not as it was pinned; nothing where all is.
    package func drift(_ drift: CheckResults.Drift) -> String {
        let comparison = drift.comparison
        let name = escapedForDisplay(drift.lock)
        guard comparison.hasDrift else {
            return "\n" + style("✓ as pinned in \(name)", .green) + ": \(comparison.summary)\n"
                + remarks(comparison)
        }
        return "\n" + style("✗ not as pinned in \(name)", .red) + ": \(comparison.summary)\n"
            + section("changed", comparison.changed, .red) + remarks(comparison)
    }

    /// A migration report between two servers, or two times of one.
    ///
    /// - Parameter names: what the files are called.
    package func text(
        _ comparison: BaselineComparison, _ locks: (CheckBaseline, CheckBaseline),
        names: (String, String)
    ) -> String {
        let (word, look): (String, Style.TextStyle) =
            comparison.hasDrift ? ("DIFFERENT", .red) : ("ALIKE", .green)
        var text = "A  \(names.0)  " + style("(\(Self.about(locks.0)))", .dim) + "\n"
        text += "B  \(names.1)  " + style("(\(Self.about(locks.1)))", .dim) + "\n\n"
        text += "\(style(word, look)): \(comparison.summary)\n"
        text += section("what B does otherwise", comparison.changed, .red)
        return text + remarks(comparison)
    }

    private func remarks(_ comparison: BaselineComparison) -> String {
        section("not always the same", comparison.unsteady, .yellow)
            + section("could not be told", comparison.undecided, .yellow)
            + section("gone", comparison.gone) + section("new", comparison.added)
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

    static func about(_ lock: CheckBaseline) -> String {
        let server = lock.server.isEmpty ? "" : "\(lock.server), "
        return escapedForDisplay("\(server)\(lock.dialect), linejudge \(lock.toolVersion)")
    }
}

/// The same as GitHub and others show it under a pull request.
package enum BaselineMarkdown {
    /// The whole comment.
    package static func text(
        _ comparison: BaselineComparison, _ locks: (CheckBaseline, CheckBaseline),
        names: (String, String)
    ) -> String {
        var lines = [
            "### \(comparison.hasDrift ? "❌" : "✅") linejudge compare: "
                + (comparison.hasDrift ? "different" : "alike"), "",
            "\(comparison.summary.prefix(1).uppercased() + comparison.summary.dropFirst()).", "",
            "- **A** \(MarkdownText.escaped(names.0)) (\(MarkdownText.escaped(BaselineText.about(locks.0))))",
            "- **B** \(MarkdownText.escaped(names.1)) (\(MarkdownText.escaped(BaselineText.about(locks.1))))",
        ]
        if !(comparison.changed + comparison.unsteady + comparison.undecided).isEmpty
            || !(comparison.gone + comparison.added).isEmpty
        {
            lines += ["", "| check | A | B | |", "| --- | --- | --- | --- |"]
        }
        func row(_ id: CheckID, _ first: String, _ second: String, _ remark: String) {
            let cells = ["\(id)", first, second].map { MarkdownText.escaped($0) }
            lines.append("| \(cells.joined(separator: " | ")) | \(remark) |")
        }
        for pair in comparison.changed {
            row(pair.id, "\(pair.before)", "\(pair.now)", "❌ changed")
        }
        for pair in comparison.unsteady {
            row(pair.id, "\(pair.before)", "\(pair.now)", "❔ not always the same")
        }
        for pair in comparison.undecided {
            row(pair.id, "\(pair.before)", "\(pair.now)", "❔ could not be told")
        }
        for single in comparison.gone { row(single.id, "\(single.measured)", "–", "only in A") }
        for single in comparison.added { row(single.id, "–", "\(single.measured)", "only in B") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension BaselineComparison {
    /// `2 of 129 checks changed, 1 gone`
    var summary: String {
        let all = same + changed.count + undecided.count + unsteady.count
        var parts = [
            changed.isEmpty
                ? "\(counted(same, "check")) the same"
                : "\(changed.count) of \(counted(all, "check")) changed"
        ]
        func add(_ count: Int, _ words: String) {
            if count > 0 { parts.append("\(count) \(words)") }
        }
        add(unsteady.count, "not always the same")
        add(undecided.count, "could not be told")
        add(gone.count, "gone")
        add(added.count, "new")
        return parts.joined(separator: ", ")
    }
}
