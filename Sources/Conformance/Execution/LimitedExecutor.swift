import Session
import SessionTransport
import Synchronization

/// An executor that runs a limited number of cases at a time. The others wait for their turn, in
/// the order in which they were submitted.
final class LimitedExecutor: CaseExecutor {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let executor: any CaseExecutor
    private let state: Mutex<State>

    /// Creates an executor.
    ///
    /// - Parameter casesMax: Maximum number of cases that run at a time; at least one.
    init(_ executor: any CaseExecutor, casesMax: Int) {
        self.executor = executor
        state = Mutex(State(free: max(1, casesMax)))
    }

    /// Runs a program when it is its turn. If the task is cancelled, the program still waits for
    /// its turn, and then ends at once.
    func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        await inTurn { await executor.run(program, options: options) }
    }

    func run(
        _ program: Program, options: ExecutionOptions, observing observation: Observation
    ) async -> (SessionOutcome, ServerMeasure?) {
        await inTurn { await executor.run(program, options: options, observing: observation) }
    }

    private func inTurn<Outcome>(_ body: () async -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        let outcome = await body()
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
        return outcome
    }
}
