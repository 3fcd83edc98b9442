import Diagnostics
import Results

extension LoadHTMLPage {
    /// A table row for one step of a rate search.
    struct SearchRow {
        var `class`: String
        var mark: String
        var rate: String
        var outcome: String
        var purpose: String
        var measured: String
    }

    /// A table of the steps of a rate search.
    struct SearchTable {
        var summary: String
        var steps: [SearchRow]

        init(_ search: RateSearchResults) {
            let rate = search.ratePerSecond.map(LoadSummary.rate)
            summary =
                (rate.map { "Highest passing rate: \($0)" } ?? "No rate passed")
                + (search.brokenPerSecond.map { "; failed at \(LoadSummary.rate($0))" } ?? "")
                + (search.isBoundByGenerator ? " because of the load generator." : ".")
                + (search.saturation.map { " At that rate: \(escapedForDisplay($0))." } ?? "")
            steps = search.steps.map { step in
                let mark =
                    switch step.outcome {
                    case .passed: "✓"
                    case .failed: "✗"
                    case .inconclusive: "?"
                    }
                let name = step.outcome.rawValue
                let figures = step.thresholds.map { result in
                    result.text + (LoadSummary.shown(result).map { ": \($0)" } ?? "")
                }
                return SearchRow(
                    class: name, mark: mark, rate: LoadSummary.rate(step.ratePerSecond),
                    outcome: name,
                    purpose: escapedForDisplay(step.purpose),
                    measured: escapedForDisplay((figures + step.reasons).joined(separator: "; ")))
            }
        }
    }

    /// A table of the steps of a scenario.
    struct ScenarioTable {
        var title: String
        var file: String
        var summary: String
        var steps: [StepRow]
        var omitted: String?
        var failures: [String]

        init(_ scenario: LoadScenarioResult) {
            title = escapedForDisplay(scenario.title)
            file = escapedForDisplay(scenario.file)
            summary = LoadSummary.words(scenario).joined(separator: ", ") + "."
            let failed = Dictionary(
                scenario.failures.map { ($0.line, $0.count) }, uniquingKeysWith: +)
            let shown = scenario.steps.prefix(LoadHTMLReport.stepsMax)
            steps = shown.map { StepRow($0, failed: failed[$0.line] ?? 0) }
            let more = scenario.steps.count - shown.count
            omitted = more > 0 ? "\(counted(more, "more step")) in the results file (JSON)." : nil
            let timed = Set(scenario.steps.map(\.line))
            failures =
                scenario.failures.filter { !timed.contains($0.line) }
                .map { "\(grouped($0.count)) failed at line \($0.line)" }
                + scenario.reasons.map { escapedForDisplay("inconclusive: \($0)") }
        }
    }

    /// A table row for a scenario step.
    struct StepRow {
        var `class`: String
        var line: String
        var text: String
        var behaviour: String?
        var cells: [String]

        init(_ step: LoadScenarioResult.Step, failed: UInt64) {
            `class` = failed > 0 ? "failed" : "passed"
            line = String(step.line)
            text = escapedForDisplay(step.text)
            behaviour = step.behaviour.map { escapedForDisplay($0) }
            let times = step.response
            cells =
                [grouped(times.count), grouped(failed)]
                + [times.p50, times.p90, times.p99, times.max].map {
                    durationText(Int64(clamping: $0))
                }
        }
    }
}
