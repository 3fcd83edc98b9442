package import Results
package import Scenario

/// A connection of an operator. Each reconnect has its own generation, so that late events from the
/// old connection can be recognised.
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

/// An event on a connection. Received bytes are passed to ``ScenarioSession/receive(_:_:at:)``
/// instead.
package enum SessionEvent: Sendable {
    /// The connection is established; with TLS, the handshake is complete.
    case connected(ConnectionID)
    /// The connection could not be established.
    case connectFailed(ConnectionID, reason: String)
    /// The peer closed its sending direction.
    case closed(ConnectionID, ClosingManner)
    /// ``ScenarioSession/deadline`` has passed.
    case wake
}

/// An action for the driver. Actions are carried out in order.
package enum SessionAction: Sendable, Equatable {
    case connect(ConnectionID)
    /// Writes and flushes these bytes in a separate write.
    case send(ConnectionID, [UInt8])
    /// Holds back writes until `release`, so that they are sent together with the following ones
    /// (TCP_CORK).
    case hold(ConnectionID)
    case release(ConnectionID)
    /// Closes the sending direction (FIN) and keeps reading.
    case halfClose(ConnectionID)
    /// Closes the sending direction and abandons the connection. Remaining input is read and
    /// discarded, so that closing does not turn into a reset.
    case close(ConnectionID)
    /// Closes with RST.
    case abort(ConnectionID)
    /// Stops reading, with the smallest possible receive buffer, or resumes reading.
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
    /// Default timeout for an expectation, in nanoseconds.
    package var stepTimeout: Int64
    /// Default timeout for a scenario, in nanoseconds.
    package var fileTimeout: Int64
    /// Limits for buffered and recorded data.
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
