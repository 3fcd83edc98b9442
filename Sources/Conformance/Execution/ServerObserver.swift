import Console
import Results
import Session
import Synchronization
import SessionTransport
import Transport

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

    /// Maximum time after a session's last step for a sample to show the connections as the steps
    /// have left them. Later, the session resets connections that the server has not closed.
    static let lastSampleDelayMax = Duration.nanoseconds(TransportLimits().finalDrainTime / 2)

    /// Runs `body`, and returns its outcome and the server's state before, during and after it; the
    /// state is nil if the server cannot be observed.
    ///
    /// - Parameter settles: Whether to give the server time to close connections.
    func observed(
        settles: Bool, _ body: () async -> SessionOutcome
    ) async -> (SessionOutcome, ServerMeasure?) {
        guard let watch, let before = watch.look() else { return (await body(), nil) }
        let samples = Samples()
        async let looking: Void = look(watch, samples)
        let outcome = await body()
        samples.finish()
        await looking
        var measure = ServerMeasure(before)
        for (state, time) in samples.taken(until: outcome.endedAt) { measure.note(state, at: time) }
        measure.after = settles ? await settled(watch, measure) : before
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

    private func look(_ watch: any ServerWatch, _ samples: Samples) async {
        while !samples.areComplete, !Task.isCancelled {
            do { try await Task.sleep(for: Self.period) } catch { return }
            if samples.areComplete { return }
            // The state is at least as old as the time before the look.
            let time = ContinuousClock.now
            if let state = watch.look() { samples.add(state, at: time) }
        }
    }

    /// Waits until the server has released everything, and returns its state then.
    private func settled(_ watch: any ServerWatch, _ measure: ServerMeasure) async -> ServerState {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.settleMax
        var state = watch.look() ?? measure.last
        while !state.hasReturned(to: measure.before), clock.now < deadline, !Task.isCancelled {
            do { try await Task.sleep(for: Self.period) } catch { break }
            state = watch.look() ?? state
        }
        return state
    }

    /// Samples shared by the observing task and the task that runs the case.
    private final class Samples: Sendable {
        private typealias Sample = (state: ServerState, time: ContinuousClock.Instant)

        private let content = Mutex<(samples: [Sample], areComplete: Bool)>(([], false))
        private let begin = ContinuousClock.now

        var areComplete: Bool { content.withLock(\.areComplete) }

        func finish() { content.withLock { $0.areComplete = true } }

        func add(_ state: ServerState, at time: ContinuousClock.Instant) {
            content.withLock { if !$0.areComplete { $0.samples.append((state, time)) } }
        }

        /// Returns the samples during the session, with the time since the beginning in
        /// nanoseconds. The first sample after its end is included if the session had not reset
        /// connections yet.
        func taken(
            until end: ContinuousClock.Instant?
        ) -> [(state: ServerState, time: Int64)] {
            var samples = content.withLock(\.samples)
            if let end, let next = samples.firstIndex(where: { $0.time >= end }) {
                let isEarly = samples[next].time - end <= ServerObserver.lastSampleDelayMax
                samples.removeSubrange((isEarly ? next + 1 : next)...)
            }
            return samples.map { ($0.state, ($0.time - begin).nanoseconds) }
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
