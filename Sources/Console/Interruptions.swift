import Dispatch
import Glibc
import Synchronization

/// Handler of requests to end the command: SIGINT, SIGTERM, or a closed pipe on standard output,
/// which is reported as SIGPIPE. SIGHUP and SIGQUIT count as SIGTERM. A second signal ends the
/// process immediately, unless it arrives within ``repeatedWithin`` of the first.
///
/// It can be `@unchecked Sendable` because `sources` does not change after `init`.
package final class Interruptions: @unchecked Sendable {
    /// Time after the first signal during which further signals are ignored, because `timeout` and
    /// terminals can signal a process twice for the same reason.
    package static let repeatedWithin = Duration.milliseconds(200)

    private static let requested = Atomic(false)

    /// True once a signal or a closed pipe has requested that the command end.
    package static var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// True if SIGHUP was ignored when the process started, as it is under `nohup`.
    private static let isHangupIgnored: Bool = {
        var action = sigaction()
        guard unsafe sigaction(SIGHUP, nil, &action) == 0 else { return false }
        let handler = unsafe action.__sigaction_handler.sa_handler
        return unsafe unsafeBitCast(handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    private struct State {
        /// The time of the first signal; nil before it. A closed pipe is not a signal.
        var firstSignal: ContinuousClock.Instant?
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
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            if number == SIGHUP, Self.isHangupIgnored { continue }
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let request = number == SIGINT ? SIGINT : SIGTERM
            source.setEventHandler { [weak self] in self?.take(request) }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            sources.append(source)
        }
        // Wait until the sources are registered, because earlier signals would be lost.
        registered.wait()
        Output.standard.whenBroken { [weak self] in self?.take(SIGPIPE) }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Waits for the next signal and returns it; returns nil if the task is cancelled.
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
        Self.requested.store(true, ordering: .relaxed)
        state.withLock { state in
            if number != SIGPIPE {
                let now = ContinuousClock.now
                if let first = state.firstSignal {
                    // The command is still writing its reports. A second signal means not to wait
                    // for them.
                    if now - first > Self.repeatedWithin { _exit(128 + number) }
                    return
                }
                state.firstSignal = now
            }
            if state.waiters.isEmpty { state.pending.append(number) }
            for waiter in state.waiters.values { waiter.yield(number) }
        }
    }
}
