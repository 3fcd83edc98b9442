package import Transport
package import NIOCore
import NIOPosix
package import Session

/// Runs sessions over real sockets.
///
/// All connections of a session use the same event loop, so no locks are needed. Concurrent
/// sessions are distributed among the event loops of the group.
package struct SessionDriver: Sendable {
    private let group: any EventLoopGroup
    private let security: (any ConnectionSecurity)?
    private let limits: TransportLimits

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - group: the event loops.
    ///   - security: adds TLS to connections; required for secure endpoints.
    ///   - limits: timeouts and buffer limits.
    package init(
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        security: (any ConnectionSecurity)? = nil, limits: TransportLimits = TransportLimits()
    ) {
        self.group = group
        self.security = security
        self.limits = limits
    }

    /// Runs a program against a server. Cancelling the task interrupts the run; a result is always
    /// returned.
    package func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        await run(at: endpoint) { ScenarioSession(program, options: options) }
    }

    /// Runs any session machine.
    func run<Machine: SessionMachine & ~Copyable>(
        at endpoint: Endpoint, machine: @escaping @Sendable () -> Machine
    ) async -> SessionOutcome {
        let eventLoop = group.next()
        let context = RunContext(
            eventLoop: eventLoop, endpoint: endpoint, security: security, limits: limits)
        let interruption = CancellationSignal(eventLoop)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.execute {
                    let loop = SessionLoop(machine(), context) { outcome in
                        interruption.cancel()
                        continuation.resume(returning: outcome)
                    }
                    loop.start()
                    interruption.whenCancelled { loop.interrupt() }
                }
            }
        } onCancel: {
            interruption.cancel()
        }
    }
}

/// The outcome of a scenario run, including its connections.
package struct SessionOutcome: Sendable {
    /// The result that the session produced.
    package var result: ScenarioOutcome
    /// Number of connections that were established.
    package var connectionsMade: Int
    /// The reason for the last connection failure; nil if there was none.
    package var connectFailure: String?
    /// The cause of the last connection failure.
    package var connectCause: ConnectFailure.Cause?
    /// Connection problems that were not reported to the session, such as TLS alerts.
    package var notes: [String]

    package init(
        result: ScenarioOutcome, connectionsMade: Int = 0, connectFailure: String? = nil,
        connectCause: ConnectFailure.Cause? = nil, notes: [String] = []
    ) {
        self.result = result
        self.connectionsMade = connectionsMade
        self.connectFailure = connectFailure
        self.connectCause = connectCause
        self.notes = notes
    }

    /// True if connections were attempted but none was established.
    package var isUnreachable: Bool { connectionsMade == 0 && connectFailure != nil }
}

/// Passes a cancellation from any thread to an event loop. `cancel()` must be called at least once,
/// because the promise must be fulfilled; further calls have no effect.
private struct CancellationSignal: Sendable {
    private let promise: EventLoopPromise<Void>
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        promise = eventLoop.makePromise()
    }

    func cancel() { promise.succeed() }

    /// Calls `action` on the event loop when a cancellation occurs. Must be called on the event
    /// loop.
    func whenCancelled(_ action: @escaping () -> Void) {
        promise.futureResult.assumeIsolated().whenSuccess { action() }
    }
}
