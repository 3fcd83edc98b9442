package import Results
package import Scenario

/// One connection of one operator; a reconnect is a connection of its own, so that what still arrives
/// for the old one is told apart.
package struct ConnectionID: Sendable, Hashable {
    /// The operator's place in ``Program/operators``.
    package var operatorIndex: Int
    /// Counts from 1.
    package var generation: Int

    /// The connection of an operator.
    package init(operatorIndex: Int, generation: Int) {
        self.operatorIndex = operatorIndex
        self.generation = generation
    }
}

/// What has happened to a connection. Bytes come by ``ScenarioSession/receive(_:_:at:)``.
package enum SessionEvent: Sendable {
    /// The connection stands (with TLS: after the handshake).
    case connected(ConnectionID)
    /// It could not be made.
    case connectFailed(ConnectionID, reason: String)
    /// The peer has closed its direction, in order or by a reset.
    case closed(ConnectionID, ClosingManner)
    /// The time of ``ScenarioSession/deadline`` has come.
    case wake
}

/// What the driver must do. Actions are carried out in order.
package enum SessionAction: Sendable, Equatable {
    case connect(ConnectionID)
    /// Writes and flushes these bytes, as one write of their own.
    case send(ConnectionID, [UInt8])
    /// Holds back what is written until `release`, so that it leaves together with what follows
    /// (TCP_CORK).
    case hold(ConnectionID)
    case release(ConnectionID)
    /// Ends our direction (FIN) and goes on reading.
    case halfClose(ConnectionID)
    /// Ends our direction and forgets the connection: what still arrives is read and dropped, so that
    /// the close does not become a reset.
    case close(ConnectionID)
    /// Closes with RST.
    case abort(ConnectionID)
    /// Reads nothing any more, with as little room in between as can be had; or reads on.
    case setReading(ConnectionID, Bool)
}

/// How a scenario is played.
package struct ExecutionOptions: Sendable {
    /// How what is sent is divided into writes.
    package var segmentation: Segmentation
    /// Values for variables, from the command line and the environment.
    package var variables: [String: [UInt8]]
    /// The names among them whose values must never be shown.
    package var secrets: Set<String>
    /// The environment, for `{{env.NAME}}`.
    package var environment: [String: String]
    /// What everything random in the run derives from.
    package var seed: UInt64
    /// How long an expectation waits when the scenario does not say, in nanoseconds.
    package var stepTimeout: Int64
    /// How long a scenario may take when it does not say, in nanoseconds.
    package var fileTimeout: Int64
    /// What is kept of the traffic at most.
    package var limits: SessionLimits

    /// Whether it is written down how long each expectation waited, for who asks for it now and then.
    package var recordsStepTimes = false

    /// Options with the values that hold without any.
    package init(
        segmentation: Segmentation = .whole, variables: [String: [UInt8]] = [:],
        secrets: Set<String> = [], environment: [String: String] = [:], seed: UInt64 = 1,
        stepTimeout: Int64 = 5_000_000_000, fileTimeout: Int64 = 60_000_000_000,
        limits: SessionLimits = SessionLimits()
    ) {
        self.segmentation = segmentation
        self.variables = variables
        self.secrets = secrets
        self.environment = environment
        self.seed = seed
        self.stepTimeout = stepTimeout
        self.fileTimeout = fileTimeout
        self.limits = limits
    }
}
