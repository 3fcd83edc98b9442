import Diagnostics
package import LineProtocol

/// How lines stood to the dialect's command table, for a person.
package struct SchemaText: Sendable {
    /// So many kinds of breaks are shown.
    private static let breaksMax = 10
    /// So many commands are named.
    private static let namesMax = 12
    /// So much of a line is shown.
    private static let exampleBytesMax = 100

    private let style: Style
    /// Whether all commands are named.
    private let showsAll: Bool
    /// What names the commands that were never seen, where that is not said at once.
    private let hint: String?

    /// A text that is coloured or not.
    ///
    /// - Parameter hint: the option that names the commands that were never seen; nil: some are named anyway.
    package init(style: Style, showsAll: Bool = false, hint: String? = nil) {
        self.style = style
        self.showsAll = showsAll
        self.hint = hint
    }

    /// What breaks the table, and which commands were never seen; empty where no line was seen.
    ///
    /// - Parameters:
    ///   - dialect: its name, where there may be several.
    ///   - isFailure: whether lines that break the dialect fail what they were seen in.
    package func text(
        _ report: SchemaReport, of dialect: String? = nil, isFailure: Bool = false
    ) -> String {
        guard report.lines > 0 else { return "" }
        return problems(report, of: dialect, isFailure: isFailure) + "\n"
            + hits(report, of: dialect)
    }

    /// What breaks the table or was cut; empty if nothing is wrong.
    package func problems(
        _ report: SchemaReport, of dialect: String? = nil, isFailure: Bool = false
    ) -> String {
        let table = dialect.map { "the command table of \(escapedForDisplay($0))" }
        var text = ""
        if report.brokenLines > 0 {
            let (mark, look): (String, Style.TextStyle) = isFailure ? ("✗", .red) : ("!", .yellow)
            let words =
                "\(mark) the server's lines against \(table ?? "the dialect's command table")"
            text += "\n" + style(words, look) + "\n"
            text += rows(report.breaks, others: report.otherBreaks)
        }
        if report.cutLines > 0 {
            text += "\n" + style("○ lines that the server has cut", .cyan) + "\n"
            text += rows(report.cuts, others: report.otherCuts)
        }
        return text
    }

    private func rows(_ items: [SchemaReport.Break], others: Int) -> String {
        let rest = others + items.dropFirst(Self.breaksMax).reduce(0) { $0 + $1.count }
        return items.prefix(Self.breaksMax).map(row).joined()
            + (rest > 0 ? "  and \(counted(rest, "line")) of other kinds\n" : "")
    }

    private func row(_ item: SchemaReport.Break) -> String {
        let shown = escapedForDisplay(item.example.prefix(Self.exampleBytesMax))
        let more = item.example.count > Self.exampleBytesMax ? "…" : ""
        var row = "  \(SchemaWords.sentence(item))  " + style("`\(shown)`\(more)", .dim) + "\n"
        if let place = SchemaWords.place(item) { row += style("      --> \(place)", .dim) + "\n" }
        return row
    }

    private func hits(_ report: SchemaReport, of dialect: String?) -> String {
        var text = SchemaWords.hits(report, of: dialect)
        if !showsAll, let hint, !report.neverSeen.isEmpty {
            return style(shown(text), .dim) + style(" (\(hint) names the others)", .dim) + "\n"
        }
        for (word, names) in SchemaWords.never(report) {
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

/// Words that several reports use of a command table.
enum SchemaWords {
    /// `3 × 433: 1 argument missing`
    static func sentence(_ item: SchemaReport.Break) -> String {
        let command = item.command.isEmpty ? "" : " \(escapedForDisplay(item.command))"
        return "\(item.count) ×\(command): \(escapedForDisplay(item.words))"
    }

    /// `3 × 433: 1 argument missing: ":irc.local 433 *"`
    static func full(_ item: SchemaReport.Break) -> String {
        "\(sentence(item)): \"\(escapedForDisplay(item.example))\""
    }

    /// `Scenarios/irc/nick.chat:17 (alice)`: where the first of them was seen.
    static func place(_ item: SchemaReport.Break) -> String? {
        item.place.map { place in
            let line = place.line.map { ":\($0)" } ?? ""
            let name = place.operatorName.isEmpty ? "" : " (\(place.operatorName))"
            return escapedForDisplay("\(place.file)\(line)\(name)")
        }
    }

    /// `commands: 12 of 40 seen in 400 lines`
    static func hits(_ report: SchemaReport, of dialect: String? = nil) -> String {
        let seen = report.commands.count - report.neverSeen.count
        let sampled = report.sampledOneOf > 1 ? ", one of \(report.sampledOneOf) looked at" : ""
        let name = dialect.map { " of \($0)" } ?? ""
        return "commands\(name): \(seen) of \(report.commands.count) seen in "
            + "\(counted(report.lines, "line"))\(sampled)"
    }

    /// The commands that were never sent, and those that were never received, as they are on the wire.
    static func never(_ report: SchemaReport) -> [(word: String, names: [String])] {
        let never = report.neverSeen
        return [
            ("never sent", never.filter(\.isClients)),
            ("never received", never.filter(\.isServers)),
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
