import Diagnostics
package import Results

/// Report on a run as text for a terminal or a log.
package struct PrettyReport: Sendable {
    /// Maximum width of the layout, so that lines stay readable on wide terminals.
    static let columnsMax = 120
    static let columnsMin = 40
    /// Maximum number of slowest scenarios that are listed.
    static let slowestMax = 3

    /// The level of detail in the report.
    package enum Verbosity: Int, Sendable, Comparable {
        /// Only problems and counts.
        case quiet
        /// Problems, counts, and one line per scenario.
        case normal
        /// All available details.
        case verbose

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package var style: Style
    /// Width of the terminal in columns; nil if the output is not a terminal, in which case nothing
    /// is truncated or right-aligned.
    package var columns: Int?
    package var verbosity: Verbosity
    /// True to show the transcripts of problems, or all transcripts with `verbose`.
    package var showsTranscripts: Bool
    /// True if transcripts of problems are separate parts of the report, so that CI logs can
    /// collapse them.
    package var foldsTranscripts = false
    /// Command line that reruns the failed scenarios; nil to omit it from the report.
    package var rerunCommand: String?

    /// Creates a report. `columns` is clamped to the range that the layout supports.
    package init(
        style: Style = Style(isColoured: false), columns: Int? = nil,
        verbosity: Verbosity = .normal, showsTranscripts: Bool = false, rerunCommand: String? = nil
    ) {
        self.style = style
        self.columns = columns.map { min(max($0, Self.columnsMin), Self.columnsMax) }
        self.verbosity = verbosity
        self.showsTranscripts = showsTranscripts
        self.rerunCommand = rerunCommand
    }

    /// Returns the complete report. During a run, the same text is printed piece by piece.
    package func text(_ results: RunResults) -> String {
        let head = heading(
            server: results.server, scenarioCount: Set(results.scenarios.map(\.path)).count,
            seed: results.seed,
            toolVersion: results.toolVersion)
        return head + results.scenarios.map(line).joined() + ending(results)
    }

    /// Returns the text printed before the first scenario.
    package func heading(
        server: ServerDescription, scenarioCount: Int, seed: UInt64, toolVersion: String
    ) -> String {
        guard verbosity > .quiet else { return "" }
        let what = counted(scenarioCount, "scenario")
        let title = "linejudge \(toolVersion): \(what) against \(server.summary)"
        return style(escapedForDisplay(title), .bold) + style(", seed \(seed)", .dim) + "\n\n"
    }

    /// Returns the text printed after the last scenario.
    package func ending(_ results: RunResults) -> String {
        parts(of: results).map(\.text).joined()
    }

    /// Returns the text printed after the last scenario, in parts.
    package func parts(of results: RunResults) -> [ReportPart] {
        var parts: [ReportPart] = []
        var text = ""
        let explained = results.scenarios.filter {
            $0.verdict.needsExplanation || verbosity == .verbose && showsTranscripts
        }
        if !results.diagnostics.isEmpty { text += "\n" + renderer.text(results.diagnostics) }
        var causes = SharedCauses(isUnreachableReported: !results.diagnostics.isEmpty)
        for result in explained where causes.isFirst(result) {
            // If there is only one scenario, its line was printed just before this.
            let isHeaded = results.scenarios.count > 1 || verbosity == .quiet
            text += "\n" + details(of: result, isHeaded: isHeaded)
            if let folded = foldedTranscript(of: result) {
                parts += [ReportPart(text), folded]
                text = ""
            }
        }
        for (verdict, count, names) in causes.repetitions {
            let look = VerdictStyle(verdict)
            let head = style("\(look.mark) \(look.word)", look.look)
            let more = counted(count, "more scenario")
            text += "\n\(head)  \(more) for the same reason: \(escapedForDisplay(names))\n"
        }
        text += commandTables(results)
        if verbosity > .quiet || !text.isEmpty || !parts.isEmpty { text += "\n" }
        return parts + [ReportPart(text + summary(results))]
    }

    /// Returns command-table violations and the command coverage.
    private func commandTables(_ results: RunResults) -> String {
        let schema = SchemaText(style: style, showsAll: verbosity == .verbose, hint: "-v")
        return results.commandTables.map { table in
            let isFailure = results.brokenLinesFail
            return verbosity == .quiet
                ? schema.problems(table.report, of: table.dialect, isFailure: isFailure)
                : schema.text(table.report, of: table.dialect, isFailure: isFailure)
        }.joined()
    }

    var renderer: DiagnosticRenderer {
        DiagnosticRenderer(
            isColoured: style.isColoured, excerptColumnsMax: columns.map { $0 - 8 } ?? 120)
    }
}

extension ServerDescription {
    /// The software of the reference server, which is used if no server is given.
    private static let referenceSoftware = "linejudge"

    /// Address and software of the server, such as `tcp://127.0.0.1:6667 (ngircd 26.1)`.
    package var summary: String {
        var address = endpoint
        if endpoint.isEmpty {
            address =
                command.map { "the server started by `\($0)`" } ?? "a server started for each file"
        }
        if software == Self.referenceSoftware, command == nil {
            return "the reference server, \(address)"
        }
        guard let software else { return address }
        return "\(address) (\(version.map { "\(software) \($0)" } ?? software))"
    }
}
