import Diagnostics
import LineProtocol

/// Template data for the command table. The template refers to the properties by name.
struct SchemaTable {
    /// A table row for one kind of violation or truncated line.
    struct Row {
        var `class`: String
        var mark: String
        var command: String
        var words: String
        var count: String
        var example: String
        var location: String?
    }

    /// Commands that were never sent, or never received.
    struct UnseenCommands {
        var word: String
        var names: String
    }

    var title: String
    var summary: String
    var hasRows: Bool
    var rows: [Row]
    var omitted: String?
    var hasUnseen: Bool
    var unseen: [UnseenCommands]

    /// Creates the table; nil if no lines were checked.
    ///
    /// - Parameter owner: The dialect or server to show in the title; nil if there is only one.
    init?(_ report: SchemaReport?, of owner: String? = nil, isFailure: Bool = false) {
        guard let report, report.lines > 0 else { return nil }
        title = "Command table" + (owner.map { ": \(escapedForDisplay($0))" } ?? "")
        var words: [String] = []
        if report.brokenLines > 0 {
            words.append(
                "\(counted(report.brokenLines, "server line violates", "server lines violate"))"
                    + " the command table.")
        }
        if report.cutLines > 0 {
            words.append(
                "\(counted(report.cutLines, "line was", "lines were")) truncated by the server.")
        }
        summary = (words + [escapedForDisplay(SchemaPhrases.hits(report)) + "."])
            .joined(separator: " ")
        let look = isFailure ? ("failed", "✗") : ("inconclusive", "!")
        rows =
            report.breaks.map { Row($0, look) } + report.cuts.map { Row($0, ("observed", "○")) }
        hasRows = !rows.isEmpty
        let rest = report.otherBreaks + report.otherCuts
        omitted = rest > 0 ? "And \(counted(rest, "line")) of other kinds." : nil
        unseen = SchemaPhrases.unseen(report).map {
            UnseenCommands(word: $0.word, names: escapedForDisplay($0.names.joined(separator: " ")))
        }
        hasUnseen = !unseen.isEmpty
    }
}

extension SchemaTable.Row {
    fileprivate init(_ item: SchemaReport.Deviation, _ look: (class: String, mark: String)) {
        `class` = look.class
        mark = look.mark
        command = escapedForDisplay(item.command)
        words = escapedForDisplay(item.words)
        count = grouped(UInt64(clamping: item.count))
        example = escapedForDisplay(item.example)
        location = SchemaPhrases.location(item)
    }
}
