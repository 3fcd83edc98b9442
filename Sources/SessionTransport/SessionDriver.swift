import Diagnostics
import Dispatch
package import Transport
package import NIOCore
import NIOPosix
package import Session
import Synchronization

/// Driver that runs sessions over real sockets.
///
/// All connections of a session are on the same event loop, so no locks are needed. Sessions that
/// run concurrently are distributed among the event loops of the group.
package struct SessionDriver: Sendable {
    private let group: any EventLoopGroup
    private let security: (any ConnectionSecurity)?
    private let limits: TransportLimits
    private let sources: LoopbackAddresses?

    /// Maximum time for a cancelled run to end, in milliseconds. After that, the run is abandoned,
    /// because one of its steps is busy computing, such as matching a long line against many
    /// expressions.
    static let endMillisecondsMax = 1_000

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - group: the event loops.
    ///   - security: adds TLS to connections; required for endpoints that use TLS.
    ///   - limits: timeouts and buffer limits.
    ///   - sources: addresses to connect from, created for the same server; nil to let the system
    ///     choose.
    package init(
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        security: (any ConnectionSecurity)? = nil, limits: TransportLimits = TransportLimits(),
        sources: LoopbackAddresses? = nil
    ) {
        self.group = group
        self.security = security
        self.limits = limits
        self.sources = sources
    }

    /// Runs a program against a server. If the task is cancelled, the run is interrupted but still
    /// returns an outcome.
    package func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        await run(at: endpoint.speaking(program.dialect)) {
            ScenarioSession(program, options: options)
        }
    }

    /// Runs a session machine of any type.
    func run<Machine: SessionMachine & ~Copyable>(
        at endpoint: Endpoint, machine: @escaping @Sendable () -> Machine
    ) async -> SessionOutcome {
        let eventLoop = group.next()
        let context = RunContext(
            eventLoop: eventLoop, endpoint: endpoint, security: security, limits: limits,
            sources: sources)
        let interruption = CancellationSignal(eventLoop)
        let answer = PendingOutcome()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                eventLoop.execute {
                    let loop = SessionLoop(machine(), context) { outcome in
                        interruption.cancel()
                        answer.resume(outcome)
                    }
                    loop.start()
                    interruption.whenCancelled { loop.interrupt() }
                }
            }
        } onCancel: {
            interruption.cancel()
            let end = DispatchTime.now() + .milliseconds(Self.endMillisecondsMax)
            DispatchQueue.global().asyncAfter(deadline: end) { answer.resume(.abandoned) }
        }
    }
}

/// The outcome that a run waits for. It comes from the event loop or, if a cancelled run does not
/// end in time, from a timer.
private final class PendingOutcome: Sendable {
    private enum State {
        case begun, ended(SessionOutcome)
        case waiting(CheckedContinuation<SessionOutcome, Never>)
        case resumed
    }

    private let state = Mutex(State.begun)

    func wait(_ continuation: CheckedContinuation<SessionOutcome, Never>) {
        let outcome: SessionOutcome? = state.withLock { state in
            guard case .ended(let outcome) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .resumed
            return outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Ends the run. Any further outcome is dropped.
    func resume(_ outcome: SessionOutcome) {
        let waiting: CheckedContinuation<SessionOutcome, Never>? = state.withLock { state in
            switch state {
            case .begun: state = .ended(outcome)
            case .waiting(let continuation):
                state = .resumed
                return continuation
            case .ended, .resumed: break
            }
            return nil
        }
        waiting?.resume(returning: outcome)
    }
}

/// The outcome of a scenario run and of its connections.
package struct SessionOutcome: Sendable {
    /// The result that the session produced.
    package var result: ScenarioOutcome
    /// Number of connections established.
    package var connectionsMade: Int
    /// The reason the last connection failed; nil if none failed.
    package var connectFailure: String?
    /// The cause of the last connection failure; nil if no connection failed.
    package var connectCause: ConnectFailure.Cause?
    /// Connection problems that the session was not notified of, such as TLS alerts.
    package var notes: [String]
    /// Time at which the session ended and began to close the remaining connections; nil if
    /// unknown.
    package var endedAt: ContinuousClock.Instant?

    package init(
        result: ScenarioOutcome, connectionsMade: Int = 0, connectFailure: String? = nil,
        connectCause: ConnectFailure.Cause? = nil, notes: [String] = [],
        endedAt: ContinuousClock.Instant? = nil
    ) {
        self.result = result
        self.connectionsMade = connectionsMade
        self.connectFailure = connectFailure
        self.connectCause = connectCause
        self.notes = notes
        self.endedAt = endedAt
    }

    /// The outcome of a run that did not end in time after it was cancelled.
    static let abandoned = SessionOutcome(
        result: ScenarioOutcome(
            outcome: .inconclusive,
            diagnostic: Diagnostic(
                .error, "run.interrupted", "the run was interrupted while a step was computing")
        ))

    /// True if there were attempts to connect, but none of them succeeded.
    package var isUnreachable: Bool { connectionsMade == 0 && connectFailure != nil }
}

/// Signal that passes a cancellation from any thread to an event loop. `cancel()` must be called at
/// least once, even if nothing is cancelled, because the promise must be completed. Further calls
/// have no effect.
private struct CancellationSignal: Sendable {
    private let promise: EventLoopPromise<Void>

    init(_ eventLoop: any EventLoop) { promise = eventLoop.makePromise() }

    func cancel() { promise.succeed() }

    /// Calls `action` on the event loop when the task is cancelled. Must be called on the event
    /// loop.
    func whenCancelled(_ action: @escaping () -> Void) {
        promise.futureResult.assumeIsolated().whenSuccess { action() }
    }
}
