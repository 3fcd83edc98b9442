import Diagnostics
package import Results

/// A page that compares the results of several load tests: their curves in the same charts, and the
/// differences from the first as tables.
package enum ComparisonHTML {
    /// Maximum number of results on a page, limited by the number of line colours.
    package static let resultsMax = 6

    /// Returns the label of a result in tables: A, B and so on.
    package static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(clamping: min(index, 25))))
    }

    /// Renders the page.
    ///
    /// - Parameters:
    ///   - groups: The load tests of each server, starting with the baseline.
    ///   - comparisons: Comparisons of the baseline with each of the other servers.
    ///   - warning: Text of a banner; nil for none.
    package static func text(
        _ groups: [LoadGroup], _ comparisons: [Comparison], warning: String? = nil
    ) throws -> String {
        try HTMLTemplates.page(ComparisonPage(groups, comparisons, warning: warning), "compare")
    }
}

/// Template data for the comparison of load tests. The template refers to the properties by name.
struct ComparisonPage {
    /// A table row for one of the results.
    struct ResultRow {
        var letter: String
        var swatch: String
        var name: String
        var `class`: String
        var mark: String
        var verdict: String
        var cells: [String]
    }

    /// A table that compares a result with the baseline.
    struct Table {
        var title: String
        var `class`: String
        var mark: String
        var verdict: String
        var letters: [String]
        var interval: String
        var rows: [FigureRow]
        var notes: [String]
    }

    /// A table row for a compared figure.
    struct FigureRow {
        var name: String
        var cells: [String]
        var `class`: String
        var finding: String
    }

    var head: PageHead
    var rows: [ResultRow]
    var tables: [Table]
    var figures: [LoadHTMLPage.Figure]

    init(_ groups: [LoadGroup], _ comparisons: [Comparison], warning: String? = nil) throws {
        let names = groups.map { escapedForDisplay($0.name) }
        head = PageHead(
            names.count <= 2
                ? names.joined(separator: " and ") : "\(names[0]) and \(names.count - 1) others",
            kind: "compare", toolVersion: toolVersion,
            facts: names.prefix(1).map { PageHead.Fact(name: "baseline", value: $0) },
            warning: warning)
        let series = try groups.enumerated().compactMap { index, group in
            try group.typical.map { try ComparedLoad($0, name: names[index], index: index) }
        }
        rows = zip(series, groups).flatMap { series, group in
            group.loads.enumerated().map { index, load in
                Self.row(series, load, number: group.loads.count > 1 ? index + 1 : nil)
            }
        }
        tables = comparisons.map(Self.table)
        figures =
            try RepeatCharts(groups: groups).figures + ComparisonCharts(series: series).figures
    }

    /// - Parameter number: Number of the load test in its group; nil if it is the only one.
    private static func row(
        _ series: ComparedLoad, _ results: LoadResults, number: Int?
    ) -> ResultRow {
        let style = VerdictStyle(results.verdict)
        return ResultRow(
            letter: series.letter + (number.map { " \($0)" } ?? ""),
            swatch: LoadFigures.swatch(series.class), name: series.name,
            class: results.verdict.rawValue, mark: style.mark, verdict: style.singular,
            cells: [
                escapedForDisplay(results.server), escapedForDisplay(results.dialect),
                UTCTime(results.startedAt).text,
                grouped(UInt64(clamping: results.requested.operators)),
                LoadSummary.rate(results.traffic.rate),
                durationText(results.traffic.measuredNanoseconds),
            ])
    }

    private static func table(_ comparison: Comparison) -> Table {
        let (first, second) = comparison.letters
        let (word, rest) = ComparisonText.verdict(comparison)
        return Table(
            title: "\(second) compared with \(first)", class: comparison.verdict.rawValue,
            mark: VerdictStyle(comparison.verdict).mark,
            verdict: "\(word.prefix(1))\(word.dropFirst().lowercased()): \(rest).",
            letters: [first, second],
            interval:
                "\(ComparisonText.percent(comparison.confidence)) CI of \(second) − \(first)",
            rows: comparison.figures.map { figure in
                let cells = ComparisonText.cells(figure)
                return FigureRow(
                    name: escapedForDisplay("\(figure.group) \(figure.name)"),
                    cells: [cells.first, cells.second, cells.change, cells.interval],
                    class: Self.class(figure.finding),
                    finding: ComparisonText.mark(figure.finding).text)
            },
            notes: comparison.allNotes)
    }

    private static func `class`(_ finding: Comparison.Finding) -> String {
        switch finding {
        case .worse: Verdict.failed.rawValue
        case .better: Verdict.passed.rawValue
        case .unsure: Verdict.inconclusive.rawValue
        case .same, .shown: ""
        }
    }
}
