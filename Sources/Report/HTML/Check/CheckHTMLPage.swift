import Diagnostics
package import Results

/// A report on checks of one or more servers, as a self-contained HTML page without scripts or
/// external resources.
package enum CheckHTMLReport {
    /// Maximum number of failures with expanded details. If there are more, the details of all
    /// failures are collapsed.
    static let openMax = 12

    /// Renders the page.
    package static func text(_ matrix: CheckMatrix) throws -> String {
        try HTMLTemplates.page(CheckHTMLPage(matrix), "check")
    }
}

/// Template data for the report on checks. The template refers to the properties by name.
struct CheckHTMLPage {
    /// The number of a server's checks that have a certain verdict.
    struct Count {
        var text: String
    }

    /// A table row for a server.
    struct ServerRow {
        var name: String
        var dialect: String
        var software: String
        var bar: String
        var counts: [Count]
        var time: String
    }

    /// A column heading for a verdict.
    struct Head {
        var swatch: String
        var name: String
    }

    /// A radio button that selects which checks are shown.
    struct Filter {
        var key: String
        var name: String
        var count: Int
        var isFirst: Bool
    }

    /// A matrix cell for the result of a check on one server.
    struct Cell {
        var `class`: String
        var mark: String
        var word: String
        var text: String
        var anchor: String?
        var isOutlier: Bool
    }

    /// A matrix row for a check.
    struct Line {
        var `class`: String
        var id: String
        var claim: String
        var cells: [Cell]
    }

    /// A check in which servers behave differently.
    struct Difference {
        var id: String
        var cells: [Cell]
    }

    /// A section with the details of all checks with the same verdict.
    struct Section {
        var `class`: String
        var mark: String
        var name: String
        var count: Int
        var checks: [CheckHTMLDetails]
    }

    var head: PageHead
    var heads: [Head]
    var servers: [ServerRow]
    var names: [String]
    var isMatrix: Bool
    var hasDifferences: Bool
    var differences: [Difference]
    var drifts: [String]
    var filters: [Filter]
    var rules: String
    var lines: [Line]
    var sections: [Section]
    var commandTables: [SchemaTable]

    init(_ matrix: CheckMatrix) {
        head = PageHead(
            Self.headline(matrix),
            toolVersion: matrix.servers.first?.results.toolVersion ?? "",
            facts: Self.facts(matrix), warning: Self.warning(matrix))
        names = matrix.servers.map { escapedForDisplay($0.name) }
        isMatrix = matrix.servers.count > 1
        let present = CheckSummary.byUrgency.filter { verdict in
            matrix.servers.contains { $0.results.count(verdict) > 0 }
        }
        heads = present.map {
            Head(swatch: VerdictBar.swatch($0), name: VerdictStyle($0).checkWord.lowercased())
        }
        servers = matrix.servers.map { Self.server($0, present) }
        differences = isMatrix ? matrix.differences.map { Self.difference($0, matrix) } : []
        hasDifferences = !differences.isEmpty
        drifts = matrix.servers.compactMap(\.results.drift).map { BaselineText().drift($0) }
        commandTables = matrix.servers.compactMap { server in
            SchemaTable(
                server.results.commandTable, of: matrix.servers.count > 1 ? server.name : nil)
        }
        lines = matrix.rows.map { Self.line($0, matrix) }
        filters = Self.filters(present, matrix)
        rules = filters.dropFirst().map { filter in
            "#show-\(filter.key):checked ~ .scroll tr.check:not(.has-\(filter.key)) "
                + "{ display: none; }"
        }.joined(separator: "\n")
        sections = Self.sections(matrix)
    }

    private static func headline(_ matrix: CheckMatrix) -> String {
        let checks = counted(matrix.rows.count, "check")
        guard let only = matrix.servers.first, matrix.servers.count == 1 else {
            let count = matrix.differences.count
            let servers = counted(matrix.servers.count, "server")
            return count == 0
                ? "\(checks) on \(servers): no differences"
                : "\(checks) on \(servers): \(counted(count, "difference"))"
        }
        let failed = only.results.count(.failed)
        let name = escapedForDisplay(only.name)
        return failed == 0
            ? "\(checks) on \(name): none failed" : "\(failed) of \(checks) failed on \(name)"
    }

    private static func facts(_ matrix: CheckMatrix) -> [PageHead.Fact] {
        guard let first = matrix.servers.first?.results else { return [] }
        var facts = [PageHead.Fact(name: "dialect", value: escapedForDisplay(first.dialect))]
        if matrix.servers.count == 1 {
            let software = first.software.map { " (\($0))" } ?? ""
            facts.append(
                PageHead.Fact(
                    name: "server", value: escapedForDisplay(first.endpoint + software)))
            if let replacements = CheckPhrases.replacements(first) {
                facts.append(PageHead.Fact(name: "server process", value: replacements))
            }
        }
        facts.append(PageHead.Fact(name: "started", value: UTCTime(first.startedAt).text))
        let duration = matrix.servers.reduce(0) { $0 + $1.results.duration }
        facts.append(PageHead.Fact(name: "duration", value: durationText(duration)))
        facts.append(PageHead.Fact(name: "seed", value: String(first.seed)))
        return facts
    }

    private static func warning(_ matrix: CheckMatrix) -> String? {
        let words = matrix.servers.compactMap(\.results.interruption)
        return words.first.map {
            "The checks were \(escapedForDisplay($0)) before all of them ran."
        }
    }

    private static func server(_ server: CheckMatrix.Server, _ present: [Verdict]) -> ServerRow {
        ServerRow(
            name: escapedForDisplay(server.name),
            dialect: escapedForDisplay(server.results.dialect),
            software: escapedForDisplay(server.results.software ?? server.results.endpoint),
            bar: VerdictBar.bar(server),
            counts: present.map { Count(text: String(server.results.count($0))) },
            time: durationText(server.results.duration))
    }

    // MARK: The matrix

    private static func line(_ row: CheckMatrix.Row, _ matrix: CheckMatrix) -> Line {
        var classes = Set(row.cells.compactMap { $0.map { "has-\($0.verdict.rawValue)" } })
        if row.differs, matrix.servers.count > 1 { classes.insert("has-differs") }
        return Line(
            class: classes.sorted().joined(separator: " "), id: escapedForDisplay("\(row.id)"),
            claim: escapedForDisplay(row.claim), cells: cells(row, matrix))
    }

    private static func cells(_ row: CheckMatrix.Row, _ matrix: CheckMatrix) -> [Cell] {
        row.cells.enumerated().map { index, check in
            guard let check else {
                return Cell(
                    class: "skipped", mark: "", word: "not run", text: "", isOutlier: false)
            }
            let look = VerdictStyle(check.verdict)
            let text = check.verdict == .skipped ? "" : "\(check.measured)"
            let isExplained = Verdict.explained.contains(check.verdict)
            return Cell(
                class: check.verdict.rawValue, mark: look.mark, word: look.checkWord.lowercased(),
                text: escapedForDisplay(text),
                anchor: isExplained ? CheckHTMLDetails.anchor(check, index) : nil,
                isOutlier: row.minority.contains(index) && row.majority != nil)
        }
    }

    private static func difference(_ row: CheckMatrix.Row, _ matrix: CheckMatrix) -> Difference {
        Difference(id: escapedForDisplay("\(row.id)"), cells: cells(row, matrix))
    }

    private static func filters(
        _ present: [Verdict], _ matrix: CheckMatrix
    ) -> [Filter] {
        var filters = [Filter(key: "all", name: "all", count: matrix.rows.count, isFirst: true)]
        if matrix.servers.count > 1 {
            filters.append(
                Filter(
                    key: "differs", name: "differences", count: matrix.differences.count,
                    isFirst: false))
        }
        for verdict in present {
            let count = matrix.rows.count { row in
                row.cells.contains { $0?.verdict == verdict }
            }
            filters.append(
                Filter(
                    key: verdict.rawValue, name: VerdictStyle(verdict).checkWord.lowercased(),
                    count: count, isFirst: false))
        }
        return filters
    }

    // MARK: Details

    private static func sections(_ matrix: CheckMatrix) -> [Section] {
        let failures = matrix.servers.reduce(0) { $0 + $1.results.count(.failed) }
        return Verdict.explained.compactMap { verdict in
            let look = VerdictStyle(verdict)
            let isOpen = verdict == .failed && failures <= CheckHTMLReport.openMax
            let checks = matrix.servers.enumerated().flatMap { index, server in
                server.results.checks.filter { $0.verdict == verdict }.map { check in
                    CheckHTMLDetails(
                        check, of: matrix.servers.count > 1 ? server.name : nil, at: index,
                        isOpen: isOpen)
                }
            }
            guard !checks.isEmpty else { return nil }
            return Section(
                class: verdict.rawValue, mark: look.mark,
                name: look.title.prefix(1).uppercased() + look.title.dropFirst(),
                count: checks.count, checks: checks)
        }
    }
}
