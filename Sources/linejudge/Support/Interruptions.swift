import Dispatch
import Glibc
import Synchronization

/// What asks a command to end: SIGINT, SIGTERM, and the reader of standard output going away (told as
/// SIGPIPE). Whoever sends a third signal wants an end at once, and gets it.
///
/// The sources are never touched again after `init`.
final class Interruptions: @unchecked Sendable {
    /// How many are waited for before the process ends without more ado.
    static let patienceMax = 2

    private struct State {
        var signalCount = 0
        /// Came while nobody waited.
        var pending: [Int32] = []
        var waiters: [Int: AsyncStream<Int32>.Continuation] = [:]
        var waiterCount = 0
    }

    private let state = Mutex(State())
    private var sources: [any DispatchSourceSignal] = []

    init() {
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
        // A signal that comes before the source is registered is ignored, and whoever sent it waits for ever.
        registered.wait()
        Output.standard.whenBroken { [weak self] in self?.take(SIGPIPE) }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Waits for the next one; nil if the task is cancelled.
    func next() async -> Int32? {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        let place = state.withLock { state in
            state.waiterCount += 1
            if state.pending.isEmpty {
                state.waiters[state.waiterCount] = continuation
            } else {
                continuation.yield(state.pending.removeFirst())
            }
            return state.waiterCount
        }
        defer { state.withLock { $0.waiters[place] = nil } }
        for await number in stream { return number }
        return nil
    }

    private func take(_ number: Int32) {
        state.withLock { state in
            state.signalCount += 1
            if state.signalCount > Self.patienceMax { _exit(128 + number) }
            if state.waiters.isEmpty { state.pending.append(number) }
            for waiter in state.waiters.values { waiter.yield(number) }
        }
    }
}
