import Diagnostics
import LineProtocol
import Results

/// Template data for the report on a run. The template refers to the properties by name.
struct HTMLPage {
    /// A legend entry for a verdict, with its count.
    struct LegendRow {
        var swatch: String
        var `class`: String
        var mark: String
        var name: String
        var count: Int
    }

    /// A row in the chart of the slowest scenarios.
    struct DurationRow {
        var anchor: String
        var title: String
        var time: String
        var bar: String
    }

    /// A section with all scenarios with the same verdict.
    struct Section {
        var `class`: String
        var mark: String
        var name: String
        var count: Int
        var scenarios: [HTMLScenario]
    }

    var head: PageHead
    var hasScenarios: Bool
    var verdictBar: String
    var legend: [LegendRow]
    var hasDurations: Bool
    var durationSummary: String
    var durations: [DurationRow]
    var hasDiagnostics: Bool
    var diagnostics: [String]
    var sections: [Section]
    var commandTables: [SchemaTable]

    init(_ results: RunResults) {
        let counts = results.counts
        head = PageHead(
            Self.headline(counts), toolVersion: results.toolVersion, facts: Self.facts(results),
            warning: results.interruption?.sentence)
        hasScenarios = counts.total > 0
        verdictBar = VerdictBar.bar(counts)
        legend = Verdict.byUrgency.filter { counts[$0] > 0 }.map { Self.legendRow($0, counts) }
        let executed = results.scenarios.enumerated().filter { $0.element.attempts > 0 }
        durations = Self.durations(executed.map { ($0.offset, $0.element) })
        hasDurations = durations.count > 1
        durationSummary = Self.durationSummary(executed.map(\.element.duration))
        diagnostics = results.diagnostics.map { DiagnosticRenderer().text($0) }
        hasDiagnostics = !diagnostics.isEmpty
        sections = Self.sections(results)
        commandTables = results.commandTables.compactMap {
            SchemaTable($0.report, of: $0.dialect, isFailure: results.brokenLinesFail)
        }
    }

    private static func headline(_ counts: VerdictCounts) -> String {
        guard counts.total > 0 else { return "No scenarios ran" }
        let total = counted(counts.total, "scenario")
        if counts[.passed] == counts.total {
            return counts.total == 1 ? "1 scenario passed" : "All \(total) passed"
        }
        for verdict in [Verdict.failed, .error, .inconclusive] where counts[verdict] > 0 {
            return "\(counts[verdict]) of \(total) \(VerdictStyle(verdict).plural)"
        }
        return "\(total): \(counts.summary)"
    }

    private static func facts(_ results: RunResults) -> [PageHead.Fact] {
        var facts = [
            PageHead.Fact(name: "server", value: escapedForDisplay(results.server.summary))
        ]
        if let command = results.server.command {
            facts.append(PageHead.Fact(name: "command", value: escapedForDisplay(command)))
        }
        facts.append(PageHead.Fact(name: "started", value: UTCTime(results.startedAt).text))
        facts.append(PageHead.Fact(name: "duration", value: durationText(results.duration)))
        facts.append(PageHead.Fact(name: "seed", value: String(results.seed)))
        return facts
    }

    private static func legendRow(_ verdict: Verdict, _ counts: VerdictCounts) -> LegendRow {
        let look = VerdictStyle(verdict)
        return LegendRow(
            swatch: VerdictBar.swatch(verdict), class: verdict.rawValue, mark: look.mark,
            name: look.singular, count: counts[verdict])
    }

    private static func durations(_ executed: [(Int, ScenarioResult)]) -> [DurationRow] {
        let ranked = executed.sorted { ($1.1.duration, $0.0) < ($0.1.duration, $1.0) }
        let longest = ranked.first?.1.duration ?? 0
        return ranked.prefix(HTMLReport.durationsMax).map { index, result in
            DurationRow(
                anchor: HTMLScenario.anchor(index), title: escapedForDisplay(result.fullTitle),
                time: durationText(result.duration),
                bar: VerdictBar.duration(result.duration, of: longest, result.verdict))
        }
    }

    private static func durationSummary(_ durations: [Int64]) -> String {
        let sorted = durations.sorted()
        guard let slowest = sorted.last else { return "none" }
        let median = durationText(sorted[(sorted.count - 1) / 2])
        return "median \(median), max \(durationText(slowest))"
    }

    private static func sections(_ results: RunResults) -> [Section] {
        let explained = results.scenarios.count { $0.verdict.needsExplanation }
        return Verdict.byUrgency.compactMap { verdict in
            let scenarios = results.scenarios.enumerated().filter { $0.element.verdict == verdict }
            guard !scenarios.isEmpty else { return nil }
            let isOpen = verdict.needsExplanation && explained <= HTMLReport.openMax
            let look = VerdictStyle(verdict)
            return Section(
                class: verdict.rawValue, mark: look.mark, name: look.heading,
                count: scenarios.count,
                scenarios: scenarios.map {
                    HTMLScenario($0.element, index: $0.offset, isOpen: isOpen)
                })
        }
    }
}

extension VerdictStyle {
    /// The plural form with a capital letter.
    fileprivate var heading: String { plural.prefix(1).uppercased() + plural.dropFirst() }
}
