import ChatModel
import Diagnostics
import Results
import Synchronization

/// State shared by the workers of a run: the entries still to run, and the results so far.
final class Run: Sendable {
    private struct State {
        var next = 0
        var results: [ScenarioResult?]
        /// Number of results already reported, in planned order.
        var reported = 0
        /// True while one of the workers is reporting.
        var isReporting = false
        var isFailedFast = false
    }

    private let entries: [RunPlan.Entry]
    private let state: Mutex<State>
    private let events: Multicast<RunEvent>?
    /// Command-table check; nil if it is disabled.
    let schema: RunCommandTables?

    init(
        _ plan: RunPlan, reportingTo events: Multicast<RunEvent>?, schema: RunCommandTables? = nil
    ) {
        self.schema = schema
        entries = plan.entries
        self.events = events
        state = Mutex(State(results: Array(repeating: nil, count: plan.entries.count)))
    }

    /// True if the run stopped after the first failure with scenarios left to run.
    var isFailedFast: Bool {
        state.withLock { $0.isFailedFast && $0.next < entries.count }
    }

    var count: Int { entries.count }

    /// True if there are more entries to start.
    var hasNext: Bool {
        state.withLock { $0.next < entries.count && !$0.isFailedFast } && !Task.isCancelled
    }

    /// Returns the next entry, with its index in execution order; nil if no more entries should be
    /// started.
    func next() -> (Int, RunPlan.Entry)? {
        let index = state.withLock { state -> Int? in
            guard state.next < entries.count, !state.isFailedFast, !Task.isCancelled else {
                return nil
            }
            state.next += 1
            return state.next - 1
        }
        guard let index else { return nil }
        let entry = entries[index]
        events?.broadcast(
            .began(path: entry.scenario.path, title: entry.scenario.title))
        return (index, entry)
    }

    /// Records the result of an entry.
    func finish(_ index: Int, _ result: ScenarioResult, isEnough: Bool) {
        state.withLock { state in
            state.results[index] = result
            if isEnough { state.isFailedFast = true }
        }
        events?.broadcast(.ended(result))
        reportInOrder()
    }

    /// Reports results in planned order, up to the first missing result. Only one worker reports at
    /// a time; it also reports results that other workers record in the meantime.
    private func reportInOrder() {
        while true {
            let result = state.withLock { state -> ScenarioResult? in
                guard !state.isReporting, state.reported < entries.count,
                    let result = state.results[state.reported]
                else { return nil }
                state.isReporting = true
                state.reported += 1
                return result
            }
            guard let result else { return }
            events?.broadcast(.settled(result))
            state.withLock { $0.isReporting = false }
        }
    }

    /// Marks all entries that have not run as inconclusive, because the server could not be
    /// started.
    func giveUp(_ diagnostics: [Diagnostic]) {
        for index in entries.indices where state.withLock({ $0.results[index] == nil }) {
            let entry = entries[index]
            var result = entry.scenario.undecided(
                diagnostics.first?.message ?? "the server could not be started", entry)
            result.isUnreachable = result.verdict == .inconclusive
            finish(index, result, isEnough: false)
        }
        state.withLock { $0.next = entries.count }
    }

    /// Returns the results in the order the scenarios were selected. The result of a scenario that
    /// did not run gives the reason.
    func results() -> [ScenarioResult] {
        let isFailedFast = state.withLock { $0.isFailedFast }
        for index in entries.indices where state.withLock({ $0.results[index] == nil }) {
            let entry = entries[index]
            let result =
                isFailedFast
                ? entry.scenario.result(
                    .skipped, reason: "not run after the first failure",
                    segmentation: entry.segmentation)
                : entry.scenario.undecided("interrupted before it started", entry)
            finish(index, result, isEnough: false)
        }
        let found = state.withLock { $0.results }
        return zip(entries, found).sorted { $0.0.position < $1.0.position }.compactMap(\.1)
    }
}

extension LoadedScenario {
    /// Returns the result of a scenario that did not run. Errors in the scenario itself take
    /// precedence over `reason`.
    func undecided(_ reason: String, _ entry: RunPlan.Entry) -> ScenarioResult {
        program == nil
            ? invalidResult
            : result(.inconclusive, reason: reason, segmentation: entry.segmentation)
    }

    /// The result for a scenario with errors.
    var invalidResult: ScenarioResult {
        let first = diagnostics.first { $0.severity == .error }
        return result(.error, reason: first?.message ?? "the scenario cannot be read")
    }
}
