import Dispatch
import Glibc
import Synchronization

/// Requests to end the command: SIGINT, SIGTERM, and a broken pipe on standard output (reported as
/// SIGPIPE). The third signal ends the process immediately.
///
/// It is `@unchecked Sendable` because the sources do not change after `init`.
package final class Interruptions: @unchecked Sendable {
    /// Number of signals after which another one ends the process immediately.
    package static let signalsMax = 2

    private struct State {
        var signalCount = 0
        /// Signals that arrived while no task was waiting.
        var pending: [Int32] = []
        var waiters: [Int: AsyncStream<Int32>.Continuation] = [:]
        var waiterCount = 0
    }

    private let state = Mutex(State())
    private var sources: [any DispatchSourceSignal] = []

    package init() {
        let queue = DispatchQueue(label: "linejudge.signals")
        let registered = DispatchGroup()
        for number in [SIGINT, SIGTERM] {
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in self?.take(number) }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            sources.append(source)
        }
        // Wait, because a signal that arrives before its source is registered would be lost.
        registered.wait()
        Output.standard.whenBroken { [weak self] in self?.take(SIGPIPE) }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Waits for the next signal; returns nil if the task is cancelled.
    package func next() async -> Int32? {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        let id = state.withLock { state in
            state.waiterCount += 1
            if state.pending.isEmpty {
                state.waiters[state.waiterCount] = continuation
            } else {
                continuation.yield(state.pending.removeFirst())
            }
            return state.waiterCount
        }
        defer { state.withLock { $0.waiters[id] = nil } }
        for await number in stream { return number }
        return nil
    }

    private func take(_ number: Int32) {
        state.withLock { state in
            state.signalCount += 1
            if state.signalCount > Self.signalsMax { _exit(128 + number) }
            if state.waiters.isEmpty { state.pending.append(number) }
            for waiter in state.waiters.values { waiter.yield(number) }
        }
    }
}
