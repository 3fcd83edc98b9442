import Session
import SessionTransport
import Synchronization
import Testing

@testable import Conformance

/// Samples of a server's state around a run.
struct ServerObserverTests {
    /// A server whose number of unclosed sockets the test sets; nil if it cannot be observed.
    private final class Watch: ServerWatch {
        private let content = Mutex<(sockets: Int?, looks: Int)>((0, 0))

        var looks: Int { content.withLock(\.looks) }

        func set(_ sockets: Int?) { content.withLock { $0.sockets = sockets } }

        func look() -> ServerState? {
            content.withLock { content in
                content.looks += 1
                return content.sockets.map { sockets in
                    var state = ServerState()
                    state.closeWait = sockets
                    return state
                }
            }
        }

        func waitForLooks(_ count: Int) async throws {
            let last = looks + count
            while looks < last { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    private let outcome = SessionOutcome(result: ScenarioOutcome(outcome: .passed))

    /// As when a session ends and resets the connections that the server has not closed.
    @Test(.timeLimit(.minutes(1)))
    func theLastSampleShowsWhatTheStepsHaveLeft() async throws {
        let watch = Watch()
        let (_, measure) = await ServerObserver(watch: watch).observed(settles: true) {
            var outcome = outcome
            watch.set(7)
            try? await watch.waitForLooks(2)
            outcome.endedAt = .now
            try? await Task.sleep(for: ServerObserver.lastSampleDelayMax * 1.2)
            watch.set(0)
            try? await watch.waitForLooks(2)
            return outcome
        }
        let found = try #require(measure)
        #expect(found.before.closeWait == 0)
        #expect(found.last.closeWait == 7)
        #expect(found.after.closeWait == 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func aServerThatCannotBeObservedAtTheEndHasItsLastState() async throws {
        let watch = Watch()
        let (_, measure) = await ServerObserver(watch: watch).observed(settles: true) {
            watch.set(7)
            try? await watch.waitForLooks(2)
            watch.set(nil)
            try? await watch.waitForLooks(1)
            return outcome
        }
        #expect(try #require(measure).after.closeWait == 7)
    }
}
