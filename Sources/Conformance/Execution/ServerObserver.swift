import Console
import Results
import Session
import Synchronization
import SessionTransport

/// A sampler of the server's process and sockets before, during and after the run of a case.
struct ServerObserver {
    /// Interval between samples.
    static let period = Duration.milliseconds(50)
    /// Maximum time to wait for the server to close connections.
    static let settleMax = Duration.seconds(5)
    /// Interval between samples that show whether the server is idle.
    static let idlePeriod = Duration.milliseconds(100)
    /// Minimum number of such samples before a server counts as busy. On a busy machine, there may
    /// be few of them in a long time.
    static let idleSamplesMin = 5

    /// Source of the samples; nil if the server cannot be observed.
    let watch: (any ServerWatch)?
    /// Maximum time to wait for a server that still has bytes to read.
    var unreadMax = Duration.seconds(10)
    /// Maximum time to wait for a server that has read everything but uses the CPU.
    var busyMax = Duration.seconds(2)

    /// Runs `body`, and returns its outcome and the server's state before, during and after it; the
    /// state is nil if the server cannot be observed.
    ///
    /// - Parameter settles: Whether to give the server time to close connections.
    func observed(
        settles: Bool, _ body: () async -> SessionOutcome
    ) async -> (SessionOutcome, ServerMeasure?) {
        guard let watch, let before = watch.look() else { return (await body(), nil) }
        let notes = Notes(ServerMeasure(before))
        async let looking: Void = look(watch, notes)
        let outcome = await body()
        notes.finish()
        await looking
        var measure = notes.measure
        if settles { measure.after = await settled(watch, before) }
        return (outcome, measure)
    }

    /// Waits until the server has handled everything that earlier checks sent. The wait is limited,
    /// because a server may never become idle.
    ///
    /// - Returns: Whether the server is idle; true if it cannot be observed.
    func idled() async -> Bool {
        guard let watch, var last = watch.look() else { return true }
        let clock = ContinuousClock()
        let begin = clock.now
        var (lastTime, lastUnread) = (begin, begin)
        var samples = 0
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.idlePeriod) } catch { return false }
            guard let state = watch.look() else { return true }
            let now = clock.now
            if state.isIdle(since: last, after: (now - lastTime).nanoseconds) { return true }
            if state.unreadBytes > 0 { lastUnread = now }
            (last, lastTime) = (state, now)
            samples += 1
            if samples < Self.idleSamplesMin { continue }
            if now - begin > unreadMax || now - lastUnread > busyMax { return false }
        }
        return false
    }

    private func look(_ watch: any ServerWatch, _ notes: Notes) async {
        let clock = ContinuousClock()
        let begin = clock.now
        while !notes.isFinished, !Task.isCancelled {
            do { try await Task.sleep(for: Self.period) } catch { return }
            if notes.isFinished { return }
            guard let state = watch.look() else { continue }
            let (seconds, rest) = (clock.now - begin).components
            notes.note(state, at: seconds * 1_000_000_000 + rest / 1_000_000_000)
        }
    }

    private func settled(
        _ watch: any ServerWatch, _ before: ServerState
    ) async -> ServerState {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.settleMax
        var state = watch.look() ?? before
        while !state.hasReturned(to: before), clock.now < deadline, !Task.isCancelled {
            do { try await Task.sleep(for: Self.period) } catch { break }
            state = watch.look() ?? state
        }
        return state
    }

    /// State shared by the observing task and the task that runs the case.
    private final class Notes: Sendable {
        private let state: Mutex<(measure: ServerMeasure, isFinished: Bool)>

        init(_ measure: ServerMeasure) { state = Mutex((measure, false)) }

        var measure: ServerMeasure { state.withLock(\.measure) }
        var isFinished: Bool { state.withLock(\.isFinished) }
        func finish() { state.withLock { $0.isFinished = true } }
        func note(_ look: ServerState, at time: Int64) {
            state.withLock { if !$0.isFinished { $0.measure.note(look, at: time) } }
        }
    }
}

extension Judgement {
    /// Kinds of findings that the state of a socket can explain.
    private static let symptomatic: Set<String> = ["wedged", "not-closed", "stale-session", "lost"]

    /// Adds notes about the connection, or the end of the server, to a finding.
    func explained(by notes: [String]) -> Judgement {
        guard case .failed(var finding) = self, !notes.isEmpty else { return self }
        finding.got += "; " + notes.joined(separator: "; ")
        return .failed(finding)
    }

    /// Adds the observed state of the server to a finding that this state may explain.
    func explained(by measure: ServerMeasure?) -> Judgement {
        guard case .failed(var finding) = self, Self.symptomatic.contains(finding.kind),
            let symptom = measure?.symptom
        else { return self }
        finding.got += "; \(symptom)"
        return .failed(finding)
    }
}
