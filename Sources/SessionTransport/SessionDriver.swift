package import Transport
package import NIOCore
import NIOPosix
package import Session

/// Plays sessions over real sockets.
///
/// All connections of one play live on one event loop, so nothing is shared and nothing is locked;
/// plays that run at the same time are spread over the loops of the group.
package struct SessionDriver: Sendable {
    private let group: any EventLoopGroup
    private let security: (any ConnectionSecurity)?
    private let limits: TransportLimits

    /// A driver.
    ///
    /// - Parameters:
    ///   - group: the event loops.
    ///   - security: what makes connections secure; without it, a secure endpoint cannot be reached.
    ///   - limits: how long and how much at most.
    package init(
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        security: (any ConnectionSecurity)? = nil, limits: TransportLimits = TransportLimits()
    ) {
        self.group = group
        self.security = security
        self.limits = limits
    }

    /// Plays a program against a server. A cancelled task interrupts it; there always is a result.
    package func play(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        await play(at: endpoint) { ScenarioSession(program, options: options) }
    }

    /// The same for any machine.
    func play<Machine: SessionMachine & ~Copyable>(
        at endpoint: Endpoint, machine: @escaping @Sendable () -> Machine
    ) async -> SessionOutcome {
        let eventLoop = group.next()
        let context = RunContext(
            eventLoop: eventLoop, endpoint: endpoint, security: security, limits: limits)
        let interruption = CancellationSignal(eventLoop)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.execute {
                    let play = SessionLoop(machine(), context) { outcome in
                        interruption.ring()
                        continuation.resume(returning: outcome)
                    }
                    play.start()
                    interruption.whenRung { play.interrupt() }
                }
            }
        } onCancel: {
            interruption.ring()
        }
    }
}

/// What came of a play, and of its connections.
package struct SessionOutcome: Sendable {
    /// What the session says.
    package var result: ScenarioOutcome
    /// How many connections were made.
    package var connectionsMade: Int
    /// Why the last connection that could not be made could not.
    package var connectFailure: String?
    /// What kind of failure that was.
    package var connectCause: ConnectFailure.Cause?
    /// What befell connections beyond what the session was told: TLS alerts and the like.
    package var remarks: [String]

    /// What came of a play, from its parts.
    package init(
        result: ScenarioOutcome, connectionsMade: Int = 0, connectFailure: String? = nil,
        connectCause: ConnectFailure.Cause? = nil, remarks: [String] = []
    ) {
        self.result = result
        self.connectionsMade = connectionsMade
        self.connectFailure = connectFailure
        self.connectCause = connectCause
        self.remarks = remarks
    }

    /// Whether the server was never reached, though it was tried.
    package var isUnreachable: Bool { connectionsMade == 0 && connectFailure != nil }
}

/// Brings a cancellation, which may come at any time and on any thread, to an event loop. It must be
/// rung in the end, as promises must be kept; by then it does nothing.
private struct CancellationSignal: Sendable {
    private let promise: EventLoopPromise<Void>
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        promise = eventLoop.makePromise()
    }

    func ring() { promise.succeed() }

    /// Must be called on the event loop, and the action comes there.
    func whenRung(_ action: @escaping () -> Void) {
        promise.futureResult.assumeIsolated().whenSuccess { action() }
    }
}
