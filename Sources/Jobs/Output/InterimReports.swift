import Console
import Report
import Results
import Synchronization

/// Reports that are saved while a command runs, so that they survive if the command is killed.
final class InterimReports<Form: ReportForm>: Sendable {
    /// Shortest pause between two saves. It grows with the time that saving takes.
    static var pauseMin: Duration { .seconds(5) }
    /// Shortest pause as a multiple of the time that the last save took.
    static var pausePerSave: Int { 20 }

    private struct State: Sendable {
        var results: Form.Results
        var isSaved = true
    }

    private let reports: ReportOutputs<Form>
    private let begin = ContinuousClock.now
    private let state: Mutex<State>

    /// - Parameter begun: The results before anything has run, marked as unfinished.
    init(_ reports: ReportOutputs<Form>, _ begun: Form.Results) {
        self.reports = reports
        state = Mutex(State(results: begun))
    }

    /// Adds to the results.
    ///
    /// - Parameter change: receives the results and the elapsed time in nanoseconds.
    func update(_ change: (inout Form.Results, _ elapsed: Int64) -> Void) {
        state.withLock { state in
            change(&state.results, (ContinuousClock.now - begin).nanoseconds)
            state.isSaved = false
        }
    }

    /// Saves the reports regularly if the results have changed, until the task is cancelled.
    func tick() async {
        var pause = Self.pauseMin
        while (try? await Task.sleep(for: pause)) != nil {
            let changed: Form.Results? = state.withLock { state in
                defer { state.isSaved = true }
                return state.isSaved ? nil : state.results
            }
            guard let changed else { continue }
            let duration = ContinuousClock().measure { reports.saveInterim(changed) }
            pause = max(Self.pauseMin, duration * Self.pausePerSave)
        }
    }
}
