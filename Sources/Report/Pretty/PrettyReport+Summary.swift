import Diagnostics
import Results

extension PrettyReport {
    /// The counts, what was slow, and what to do next.
    func summary(_ results: RunResults) -> String {
        let counts = results.counts
        var text = ""
        if let interruption = results.interruption {
            text += style(interruption.sentence, .yellow) + "\n"
        }
        let scenarioCount = Set(results.scenarios.map(\.path)).count
        text += total(counts, of: scenarioCount, duration: results.duration)
        guard verbosity > .quiet else { return text }
        text += slowest(results)
        text += next(results)
        return text
    }

    /// All counts in one line, broken between them where the terminal is too narrow.
    private func total(
        _ counts: VerdictCounts, of scenarioCount: Int, duration: Int64
    ) -> String {
        let plays = counts.total > scenarioCount ? ", \(counted(counts.total, "play"))" : ""
        let head = "\(counted(scenarioCount, "scenario"))\(plays) in \(durationText(duration)):"
        var text = style(head, .bold)
        var used = displayWidth(head)
        let present = Verdict.byUrgency.filter { counts[$0] > 0 }
        for verdict in present {
            let look = VerdictStyle(verdict)
            let part = counted(counts[verdict], look.singular, look.plural)
            let comma = verdict == present.last ? "" : ","
            if let columns, used + 1 + part.count + comma.count > columns {
                text += "\n "
                used = 1
            }
            text += " " + style(part, look.look) + comma
            used += 1 + part.count + comma.count
        }
        return text + (present.isEmpty ? " nothing was played" : "") + "\n"
    }

    private func slowest(_ results: RunResults) -> String {
        let played = results.scenarios.filter { $0.attempts > 0 }
        guard played.count > Self.slowestMax else { return "" }
        let ranked = played.enumerated().sorted {
            ($1.element.duration, $0.offset) < ($0.element.duration, $1.offset)
        }
        var text = style("slowest:", .dim) + "\n"
        for (_, result) in ranked.prefix(Self.slowestMax) {
            let time = ColumnText.rightAligned(durationText(result.duration), to: 9)
            let title = escapedForDisplay(result.fullTitle)
            text += "  \(time)  " + (columns.map { ColumnText.cutEnd(title, to: $0 - 13) } ?? title)
            text += "\n"
        }
        return text
    }

    private func next(_ results: RunResults) -> String {
        var hints: [String] = []
        let counts = results.counts
        let failed = counts[.failed] + counts[.inconclusive] + counts[.error]
        if failed > 0, let rerunCommand {
            let what = failed == 1 ? "play it again:  " : "play them again:  "
            hints.append(what + escapedForDisplay(rerunCommand))
        }
        guard !hints.isEmpty else { return "" }
        return style("next:", .dim) + "\n" + hints.map { "  \($0)\n" }.joined()
    }
}

extension Interruption {
    /// What it means for whoever reads the report.
    package var sentence: String {
        switch self {
        case .interrupted: "interrupted: what is inconclusive was not played to its end"
        case .terminated: "asked to end: what is inconclusive was not played to its end"
        case .failFast: "ended at the first failure, as --fail-fast asks"
        }
    }
}
