import Diagnostics
package import Results

/// A run's results for a person at a terminal or over a log.
package struct PrettyReport: Sendable {
    /// The widest line that is laid out: beyond it the eye loses the way from left to right.
    static let columnsMax = 120
    /// The narrowest.
    static let columnsMin = 40
    /// How many of the slowest scenarios are named.
    static let slowestMax = 3

    /// How much is said.
    package enum Verbosity: Int, Sendable, Comparable {
        /// What went wrong, and the counts.
        case quiet
        /// A line for each scenario too.
        case normal
        /// Everything that is known.
        case verbose

        /// Whether less is said.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// How it is coloured.
    package var style: Style
    /// The columns of the terminal; nil where it is none: then nothing is cut or aligned to the right.
    package var columns: Int?
    /// How much is said.
    package var verbosity: Verbosity
    /// Whether the transcripts of what went wrong are shown (with `verbose`: all).
    package var showsTranscripts: Bool
    /// What to type to play again what failed; nil: it is not said.
    package var rerunCommand: String?

    /// A report for a place that can be coloured or not, so wide or of any width.
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

    /// Everything at once, as it is said piece by piece while a run goes on.
    package func text(_ results: RunResults) -> String {
        let head = heading(
            server: results.server, scenarioCount: Set(results.scenarios.map(\.path)).count,
            seed: results.seed,
            toolVersion: results.toolVersion)
        return head + results.scenarios.map(line).joined() + ending(results)
    }

    /// What is said before the first scenario.
    package func heading(
        server: ServerDescription, scenarioCount: Int, seed: UInt64, toolVersion: String
    ) -> String {
        guard verbosity > .quiet else { return "" }
        let what = counted(scenarioCount, "scenario")
        let title = "linejudge \(toolVersion): \(what) against \(server.summary)"
        return style(escapedForDisplay(title), .bold) + style(", seed \(seed)", .dim) + "\n\n"
    }

    /// What is said after the last scenario.
    package func ending(_ results: RunResults) -> String {
        var text = ""
        let explained = results.scenarios.filter {
            $0.verdict.wantsExplaining || verbosity == .verbose && showsTranscripts
        }
        if !results.diagnostics.isEmpty { text += "\n" + renderer.text(results.diagnostics) }
        // Where the server is away, the same is wrong with all of them, and is said once.
        var isAwayTold = !results.diagnostics.isEmpty
        var awayCount = 0
        for result in explained {
            if result.isUnreachable, isAwayTold {
                awayCount += 1
            } else {
                // The line of a lone scenario stands right above.
                let isHeaded = results.scenarios.count > 1 || verbosity == .quiet
                text += "\n" + details(of: result, isHeaded: isHeaded)
                isAwayTold = isAwayTold || result.isUnreachable
            }
        }
        if awayCount > 0 {
            let look = VerdictStyle(.inconclusive)
            let head = style("\(look.mark) \(look.word)", look.look)
            text += "\n\(head)  \(counted(awayCount, "scenario")) for the same reason\n"
        }
        text += commandTables(results)
        if verbosity > .quiet || !text.isEmpty { text += "\n" }
        return text + summary(results)
    }

    /// X: lines that break their dialect, and how many of its commands were seen.
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
    /// `tcp://127.0.0.1:6667 (ngircd 26.1)`.
    package var summary: String {
        var place = endpoint
        if endpoint.isEmpty {
            place = command.map { "the server of `\($0)`" } ?? "a server started for each file"
        }
        guard let software else { return place }
        return "\(place) (\(version.map { "\(software) \($0)" } ?? software))"
    }
}
