import Diagnostics
import Results

extension PrettyReport {
    /// Returns the verdict counts, the slowest scenarios, and the command that reruns failures.
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

    /// Returns all counts on one line. The line is wrapped if the terminal is too narrow.
    private func total(
        _ counts: VerdictCounts, of scenarioCount: Int, duration: Int64
    ) -> String {
        let runs = counts.total > scenarioCount ? ", \(counted(counts.total, "run"))" : ""
        let head = "\(counted(scenarioCount, "scenario"))\(runs) in \(durationText(duration)):"
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
        return text + (present.isEmpty ? " no scenarios ran" : "") + "\n"
    }

    private func slowest(_ results: RunResults) -> String {
        let executed = results.scenarios.filter { $0.attempts > 0 }
        guard executed.count > Self.slowestMax else { return "" }
        let ranked = executed.enumerated().sorted {
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
            hints.append("rerun failed scenarios:  " + escapedForDisplay(rerunCommand))
        }
        guard !hints.isEmpty else { return "" }
        return style("next:", .dim) + "\n" + hints.map { "  \($0)\n" }.joined()
    }
}

extension Interruption {
    /// Sentence that explains the interruption in reports.
    package var sentence: String {
        switch self {
        case .interrupted: "interrupted: unfinished scenarios are reported as inconclusive"
        case .terminated: "terminated: unfinished scenarios are reported as inconclusive"
        case .failFast: "stopped at the first failure (--fail-fast)"
        case .unfinished: "unfinished: saved while scenarios were still running"
        }
    }
}
