import ChatModel
import Diagnostics
import Results
import Synchronization

/// What is shared by those who play one run: what comes next, and what was found.
final class Run: Sendable {
    private struct State {
        var next = 0
        var results: [ScenarioResult?]
        /// How many results were handed over in order.
        var told = 0
        /// Whether somebody is handing over.
        var isTelling = false
        var isFailedFast = false
    }

    private let entries: [RunPlan.Entry]
    private let state: Mutex<State>
    private let events: Multicast<RunEvent>?
    /// X; nil where no line is looked at.
    let schema: RunCommandTables?

    init(
        _ plan: RunPlan, telling events: Multicast<RunEvent>?, schema: RunCommandTables? = nil
    ) {
        self.schema = schema
        entries = plan.entries
        self.events = events
        state = Mutex(State(results: Array(repeating: nil, count: plan.entries.count)))
    }

    /// Whether it ended after the first failure, with some left.
    var isFailedFast: Bool {
        state.withLock { $0.isFailedFast && $0.next < entries.count }
    }

    /// The next entry and its place in the order of playing; nil when nothing more is to be begun.
    func next() -> (Int, RunPlan.Entry)? {
        let place = state.withLock { state -> Int? in
            guard state.next < entries.count, !state.isFailedFast, !Task.isCancelled else {
                return nil
            }
            state.next += 1
            return state.next - 1
        }
        guard let place else { return nil }
        let entry = entries[place]
        events?.broadcast(
            .began(path: entry.scenario.path, title: entry.scenario.title))
        return (place, entry)
    }

    /// Takes a result.
    func finish(_ place: Int, _ result: ScenarioResult, isEnough: Bool) {
        state.withLock { state in
            state.results[place] = result
            if isEnough { state.isFailedFast = true }
        }
        events?.broadcast(.ended(result))
        tellInOrder()
    }

    /// Hands over results as far as they are there without a gap. One does it at a time, so that they come in
    /// order; the others leave theirs to it.
    private func tellInOrder() {
        while true {
            let result = state.withLock { state -> ScenarioResult? in
                guard !state.isTelling, state.told < entries.count,
                    let result = state.results[state.told]
                else { return nil }
                state.isTelling = true
                state.told += 1
                return result
            }
            guard let result else { return }
            events?.broadcast(.settled(result))
            state.withLock { $0.isTelling = false }
        }
    }

    /// Says of everything that was not played that the server could not be started.
    func giveUp(_ diagnostics: [Diagnostic]) {
        for place in entries.indices where state.withLock({ $0.results[place] == nil }) {
            let entry = entries[place]
            var result = entry.scenario.undecided(
                diagnostics.first?.message ?? "the server could not be started", entry)
            result.isUnreachable = result.verdict == .inconclusive
            finish(place, result, isEnough: false)
        }
        state.withLock { $0.next = entries.count }
    }

    /// All results in the order in which the scenarios were selected; what was not played says why.
    func results() -> [ScenarioResult] {
        let isFailedFast = state.withLock { $0.isFailedFast }
        for place in entries.indices where state.withLock({ $0.results[place] == nil }) {
            let entry = entries[place]
            let result =
                isFailedFast
                ? entry.scenario.result(
                    .skipped, reason: "not played after the first failure",
                    segmentation: entry.segmentation)
                : entry.scenario.undecided("interrupted before it began", entry)
            finish(place, result, isEnough: false)
        }
        let found = state.withLock { $0.results }
        return zip(entries, found).sorted { $0.0.place < $1.0.place }.compactMap(\.1)
    }
}

extension LoadedScenario {
    /// What is said of a scenario that could not be played: nothing, if it has errors of its own.
    func undecided(_ reason: String, _ entry: RunPlan.Entry) -> ScenarioResult {
        program == nil
            ? unplayable
            : result(.inconclusive, reason: reason, segmentation: entry.segmentation)
    }

    /// What is said of a scenario with errors.
    var unplayable: ScenarioResult {
        let first = diagnostics.first { $0.severity == .error }
        return result(.error, reason: first?.message ?? "it cannot be read")
    }
}
