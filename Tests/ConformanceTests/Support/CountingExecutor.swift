import Conformance
import Session
import SessionTransport
import Synchronization

/// An executor that counts the cases that run at the same time. Each case takes at least a few
/// milliseconds.
final class CountingExecutor: CaseExecutor {
    private let executor: any CaseExecutor
    private let counts = Mutex((now: 0, most: 0, all: 0))

    init(_ executor: any CaseExecutor) { self.executor = executor }

    /// Maximum number of cases that ran at the same time.
    var most: Int { counts.withLock(\.most) }
    /// Number of cases that ran.
    var all: Int { counts.withLock(\.all) }

    func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        counts.withLock { counts in
            counts.now += 1
            counts.all += 1
            counts.most = max(counts.most, counts.now)
        }
        try? await Task.sleep(for: .milliseconds(20))
        let outcome = await executor.run(program, options: options)
        counts.withLock { $0.now -= 1 }
        return outcome
    }
}
