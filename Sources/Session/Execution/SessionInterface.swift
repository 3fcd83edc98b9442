package import Results
package import Scenario

/// One connection of one operator. Each reconnect has its own generation, so that late events of
/// the old connection can be distinguished.
package struct ConnectionID: Sendable, Hashable {
    /// Index of the operator in ``Program/operators``.
    package var operatorIndex: Int
    /// Number of the connection, from 1.
    package var generation: Int

    package init(operatorIndex: Int, generation: Int) {
        self.operatorIndex = operatorIndex
        self.generation = generation
    }
}

/// An event of a connection. Bytes are passed to ``ScenarioSession/receive(_:_:at:)``.
package enum SessionEvent: Sendable {
    /// The connection is established (with TLS: after the handshake).
    case connected(ConnectionID)
    /// The connection could not be established.
    case connectFailed(ConnectionID, reason: String)
    /// The peer closed its direction.
    case closed(ConnectionID, ClosingManner)
    /// ``ScenarioSession/deadline`` has passed.
    case wake
}

/// An action for the driver. Actions are performed in order.
package enum SessionAction: Sendable, Equatable {
    case connect(ConnectionID)
    /// Writes and flushes these bytes in a write of their own.
    case send(ConnectionID, [UInt8])
    /// Holds back writes until `release`, so that they are sent together with what follows
    /// (TCP_CORK).
    case hold(ConnectionID)
    case release(ConnectionID)
    /// Closes the sending direction (FIN) and keeps reading.
    case halfClose(ConnectionID)
    /// Closes the sending direction and abandons the connection. Remaining input is read and
    /// dropped, so that the close does not turn into a reset.
    case close(ConnectionID)
    /// Closes with RST.
    case abort(ConnectionID)
    /// Stops reading, with the smallest possible receive buffer, or resumes it.
    case setReading(ConnectionID, Bool)
}

/// Options of a scenario run.
package struct ExecutionOptions: Sendable {
    /// How messages are split into writes.
    package var segmentation: Segmentation
    /// Variables from the command line and the environment.
    package var variables: [String: [UInt8]]
    /// Names of variables whose values must be masked.
    package var secrets: Set<String>
    /// Environment variables, for `{{env.NAME}}`.
    package var environment: [String: String]
    /// Seed for all randomness.
    package var seed: UInt64
    /// Default timeout of an expectation, in nanoseconds.
    package var stepTimeout: Int64
    /// Default timeout of a scenario, in nanoseconds.
    package var fileTimeout: Int64
    /// Limits of buffered and recorded data.
    package var limits: SessionLimits

    /// True to record how long each expectation waits; see `takeStepTimes()`.
    package var recordsStepTimes = false

    /// Creates options with the defaults.
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
