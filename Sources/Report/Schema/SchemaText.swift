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

    private let paint: Paint
    /// Whether all commands are named.
    private let showsAll: Bool

    /// A text that is coloured or not.
    package init(paint: Paint, showsAll: Bool = false) {
        self.paint = paint
        self.showsAll = showsAll
    }

    /// What breaks the table, and which commands were never seen; empty where no line was seen.
    package func text(_ report: SchemaReport) -> String {
        guard report.lines > 0 else { return "" }
        var text = ""
        if report.brokenLines > 0 {
            text +=
                "\n" + paint("! the server's lines against the dialect's command table", .yellow)
            text += "\n"
            for item in report.breaks.prefix(Self.breaksMax) { text += row(item) }
            let rest =
                report.otherBreaks
                + report.breaks.dropFirst(Self.breaksMax).reduce(0) { $0 + $1.count }
            if rest > 0 { text += "  and \(counted(rest, "line")) of other kinds\n" }
        }
        return text + "\n" + hits(report)
    }

    private func row(_ item: SchemaReport.Break) -> String {
        let command = item.command.isEmpty ? "" : " \(escapedForDisplay(item.command))"
        let shown = escapedForDisplay(item.example.prefix(Self.exampleBytesMax))
        let more = item.example.count > Self.exampleBytesMax ? "…" : ""
        return "  \(item.count) ×\(command): \(item.words)  "
            + paint("`\(shown)`\(more)", .dim) + "\n"
    }

    private func hits(_ report: SchemaReport) -> String {
        let never = report.neverSeen
        let seen = report.commands.count - never.count
        let sampled =
            report.sampledOneOf > 1 ? ", one of \(report.sampledOneOf) looked at" : ""
        var text =
            "commands: \(seen) of \(report.commands.count) seen in "
            + "\(counted(report.lines, "line"))\(sampled)"
        for (word, uses) in [
            ("never sent", never.filter(\.isClients)),
            ("never received", never.filter(\.isServers)),
        ] where !uses.isEmpty {
            var names: [String] = []
            for use in uses where !names.contains(use.wire) {
                names.append(use.wire.isEmpty ? use.name : use.wire)
            }
            let max = showsAll ? names.count : Self.namesMax
            text += "\n  \(word): " + names.prefix(max).joined(separator: " ")
            if names.count > max { text += " and \(names.count - max) more" }
        }
        return paint(shown(text), .dim) + "\n"
    }

    private func shown(_ text: String) -> String {
        text.split(separator: "\n").map { escapedForDisplay(String($0)) }.joined(separator: "\n")
    }
}
