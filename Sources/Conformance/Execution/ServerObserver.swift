import Results
import Session
import Synchronization
import SessionTransport

/// S: looks at the server before, while and after something is played.
struct ServerObserver {
    /// How long is waited between two looks.
    static let period = Duration.milliseconds(50)
    /// How long a server may take to close what was closed.
    static let settleMax = Duration.seconds(5)

    /// Nil: nobody looks.
    let watch: (any ServerWatch)?

    /// Plays, and says what was seen meanwhile; nothing where the server cannot be looked at.
    ///
    /// - Parameter settles: whether the server is given time to close what was closed.
    func observed(
        settles: Bool, _ play: () async -> SessionOutcome
    ) async -> (SessionOutcome, ServerMeasure?) {
        guard let watch, let before = watch.look() else { return (await play(), nil) }
        let notes = Notes(ServerMeasure(before))
        async let looking: Void = look(watch, notes)
        let outcome = await play()
        notes.finish()
        await looking
        var measure = notes.measure
        if settles { measure.after = await settled(watch, before) }
        return (outcome, measure)
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

    /// What the looking and the playing task share.
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
    /// Kinds of findings that the server's sockets have something to say about.
    private static let symptomatic: Set<String> = ["wedged", "not-closed", "staleSession", "lost"]

    /// With what was seen of the server's half, where that says more.
    func told(of measure: ServerMeasure?) -> Judgement {
        guard case .failed(var finding) = self, Self.symptomatic.contains(finding.kind),
            let symptom = measure?.symptom
        else { return self }
        finding.got += "; \(symptom)"
        return .failed(finding)
    }
}
