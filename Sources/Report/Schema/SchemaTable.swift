import Diagnostics
import LineProtocol

/// What the template of a command table asks for; it reads the names of the members.
struct SchemaTable {
    struct Row {
        var `class`: String
        var mark: String
        var command: String
        var words: String
        var count: String
        var example: String
        var place: String?
    }

    struct Never {
        var word: String
        var names: String
    }

    var title: String
    var summary: String
    var hasRows: Bool
    var rows: [Row]
    var omitted: String?
    var hasNever: Bool
    var never: [Never]

    /// The table of a report; nil where no line was seen.
    ///
    /// - Parameter owner: the dialect or server that it is of, where there may be several.
    init?(_ report: SchemaReport?, of owner: String? = nil, isFailure: Bool = false) {
        guard let report, report.lines > 0 else { return nil }
        title = "Command table" + (owner.map { ": \(escapedForDisplay($0))" } ?? "")
        var words: [String] = []
        if report.brokenLines > 0 {
            words.append("\(counted(report.brokenLines, "line")) of the server broke it.")
        }
        if report.cutLines > 0 {
            words.append("\(counted(report.cutLines, "line")) the server has cut.")
        }
        summary = (words + [escapedForDisplay(SchemaWords.hits(report)) + "."])
            .joined(separator: " ")
        let look = isFailure ? ("failed", "✗") : ("inconclusive", "!")
        rows =
            report.breaks.map { Row($0, look) } + report.cuts.map { Row($0, ("observed", "○")) }
        hasRows = !rows.isEmpty
        let rest = report.otherBreaks + report.otherCuts
        omitted = rest > 0 ? "And \(counted(rest, "line")) of other kinds." : nil
        never = SchemaWords.never(report).map {
            Never(word: $0.word, names: escapedForDisplay($0.names.joined(separator: " ")))
        }
        hasNever = !never.isEmpty
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
        place = SchemaWords.place(item)
    }
}
