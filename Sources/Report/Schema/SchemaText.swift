import Diagnostics
package import LineProtocol

/// Text reports on command-table violations and command coverage.
package struct SchemaText: Sendable {
    /// Maximum number of distinct violations shown.
    private static let breaksMax = 10
    /// Maximum number of unused commands listed.
    private static let namesMax = 12
    /// Maximum bytes shown of an example line.
    private static let exampleBytesMax = 100

    private let style: Style
    /// True to list all unused commands.
    private let showsAll: Bool
    /// The option or report that lists all unused commands, as in "use -v to list unseen commands";
    /// nil to list some of them here.
    private let hint: String?

    package init(style: Style, showsAll: Bool = false, hint: String? = nil) {
        self.style = style
        self.showsAll = showsAll
        self.hint = hint
    }

    /// Returns the violations and the command coverage; empty if no lines were checked.
    ///
    /// - Parameters:
    ///   - dialect: Name of the dialect; nil to omit it because there is only one.
    ///   - isFailure: True if violations count as failures.
    package func text(
        _ report: SchemaReport, of dialect: String? = nil, isFailure: Bool = false
    ) -> String {
        guard report.lines > 0 else { return "" }
        return problems(report, of: dialect, isFailure: isFailure) + "\n"
            + hits(report, of: dialect)
    }

    /// Returns the violations and truncated lines; empty if there are none.
    package func problems(
        _ report: SchemaReport, of dialect: String? = nil, isFailure: Bool = false
    ) -> String {
        let table = dialect.map { "the command table of \(escapedForDisplay($0))" }
        var text = ""
        if report.brokenLines > 0 {
            let (mark, look): (String, Style.TextStyle) = isFailure ? ("✗", .red) : ("!", .yellow)
            let words =
                "\(mark) server lines that violate \(table ?? "the dialect's command table")"
            text += "\n" + style(words, look) + "\n"
            text += rows(report.breaks, others: report.otherBreaks)
        }
        if report.cutLines > 0 {
            text += "\n" + style("○ lines truncated by the server", .cyan) + "\n"
            text += rows(report.cuts, others: report.otherCuts)
        }
        return text
    }

    private func rows(_ items: [SchemaReport.Deviation], others: Int) -> String {
        let rest = others + items.dropFirst(Self.breaksMax).reduce(0) { $0 + $1.count }
        return items.prefix(Self.breaksMax).map(row).joined()
            + (rest > 0 ? "  and \(counted(rest, "line")) of other kinds\n" : "")
    }

    private func row(_ item: SchemaReport.Deviation) -> String {
        let shown = escapedForDisplay(item.example.prefix(Self.exampleBytesMax))
        let more = item.example.count > Self.exampleBytesMax ? "…" : ""
        var row = "  \(SchemaPhrases.sentence(item))  " + style("`\(shown)`\(more)", .dim) + "\n"
        if let location = SchemaPhrases.location(item) {
            row += style("      --> \(location)", .dim) + "\n"
        }
        return row
    }

    private func hits(_ report: SchemaReport, of dialect: String?) -> String {
        var text = SchemaPhrases.hits(report, of: dialect)
        if !showsAll, let hint, !report.neverSeen.isEmpty {
            return style(shown(text), .dim) + style(" (use \(hint) to list unseen commands)", .dim)
                + "\n"
        }
        for (word, names) in SchemaPhrases.unseen(report) {
            let max = showsAll ? names.count : Self.namesMax
            text += "\n  \(word): " + names.prefix(max).joined(separator: " ")
            if names.count > max { text += " and \(names.count - max) more" }
        }
        return style(shown(text), .dim) + "\n"
    }

    private func shown(_ text: String) -> String {
        text.split(separator: "\n").map { escapedForDisplay(String($0)) }.joined(separator: "\n")
    }
}

/// Phrases about a command table, shared by several reports.
enum SchemaPhrases {
    /// Returns a description such as `3 × 433: 1 argument missing`.
    static func sentence(_ item: SchemaReport.Deviation) -> String {
        let command = item.command.isEmpty ? "" : " \(escapedForDisplay(item.command))"
        return "\(item.count) ×\(command): \(escapedForDisplay(item.words))"
    }

    /// Returns a description followed by an example line, such as
    /// `3 × 433: 1 argument missing: ":irc.local 433 *"`.
    static func full(_ item: SchemaReport.Deviation) -> String {
        "\(sentence(item)): \"\(escapedForDisplay(item.example))\""
    }

    /// Returns the location of the first line that deviates: the step and the operator, such as
    /// `Scenarios/irc/nick.chat:17 (alice)`; nil if unknown.
    static func location(_ item: SchemaReport.Deviation) -> String? {
        item.location.map { location in
            let line = location.line.map { ":\($0)" } ?? ""
            let name = location.operatorName.isEmpty ? "" : " (\(location.operatorName))"
            return escapedForDisplay("\(location.file)\(line)\(name)")
        }
    }

    /// Returns the command coverage, such as `commands: 12 of 40 seen in 400 lines`.
    static func hits(_ report: SchemaReport, of dialect: String? = nil) -> String {
        let seen = report.commands.count - report.neverSeen.count
        let sampled = report.sampledOneOf > 1 ? ", 1 in \(report.sampledOneOf) sampled" : ""
        let name = dialect.map { " of \($0)" } ?? ""
        return "commands\(name): \(seen) of \(report.commands.count) seen in "
            + "\(counted(report.lines, "line"))\(sampled)"
    }

    /// Returns the wire names of commands that were never sent, and of commands that were never
    /// received.
    static func unseen(_ report: SchemaReport) -> [(word: String, names: [String])] {
        let unseen = report.neverSeen
        return [
            ("never sent", unseen.filter(\.isClients)),
            ("never received", unseen.filter(\.isServers)),
        ].compactMap { word, uses in
            if uses.isEmpty { return nil }
            return (
                word,
                uses.reduce(into: []) { names, use in
                    let name = use.wire.isEmpty ? use.name : use.wire
                    if !names.contains(name) { names.append(name) }
                }
            )
        }
    }
}
