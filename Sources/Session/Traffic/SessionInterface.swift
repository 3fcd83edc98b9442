package import Results
package import Scenario

/// Identifier of a connection. Each new connection of an operator gets a new generation number, so
/// that late events from an old connection can be recognised.
package struct ConnectionID: Sendable, Hashable {
    /// Index of the operator in ``Program/operators``.
    package var operatorIndex: Int
    /// Number of the operator's connection, from 1.
    package var generation: Int

    package init(operatorIndex: Int, generation: Int) {
        self.operatorIndex = operatorIndex
        self.generation = generation
    }
}

/// An event on a connection. Received bytes are not events: they are passed to
/// ``ScenarioSession/receive(_:_:at:)``.
package enum SessionEvent: Sendable {
    /// The connection was established. With TLS, the handshake is also complete.
    case connected(ConnectionID)
    /// The connection could not be established.
    case connectFailed(ConnectionID, reason: String)
    /// The TLS handshake that the session started is complete.
    case secured(ConnectionID)
    /// The connection could not be encrypted.
    ///
    /// - Parameter isServersFault: false if the client's settings are the reason, such as an
    ///   authority that is not trusted.
    case securingFailed(ConnectionID, reason: String, isServersFault: Bool)
    /// The peer explained why it is about to close the connection, as WebSocket servers can.
    case closing(ConnectionID, reason: String)
    /// The peer closed its sending direction.
    case closed(ConnectionID, ClosingManner)
    /// ``ScenarioSession/deadline`` has passed.
    case wake
}

/// An action for the driver to carry out. Actions must be carried out in order.
package enum SessionAction: Sendable, Equatable {
    case connect(ConnectionID)
    /// Sends these bytes in a separate write and flushes them.
    case send(ConnectionID, [UInt8])
    /// Holds back everything written until `release`, so that it is sent together (TCP_CORK).
    case hold(ConnectionID)
    case release(ConnectionID)
    /// Closes the sending direction (FIN) and keeps reading.
    case halfClose(ConnectionID)
    /// Closes the sending direction and gives up the connection. Input that still arrives is read
    /// and discarded, so that the close does not turn into a reset.
    case close(ConnectionID)
    /// Closes the connection with RST.
    case abort(ConnectionID)
    /// Stops reading, and makes the receive buffer as small as possible; or resumes reading.
    case setReading(ConnectionID, Bool)
    /// Starts a TLS handshake on the open connection. The driver answers with `secured` or
    /// `securingFailed`.
    case startTLS(ConnectionID)
}

/// Options of a scenario run.
package struct ExecutionOptions: Sendable {
    /// The way messages are split into writes.
    package var segmentation: Segmentation
    /// Variables from the command line and the environment.
    package var variables: [String: [UInt8]]
    /// Names of the variables to mask.
    package var secrets: Set<String>
    /// The environment variables, for `{{env.NAME}}`.
    package var environment: [String: String]
    /// Seed for all randomness.
    package var seed: UInt64
    /// Timeout for an expectation if the scenario sets none, in nanoseconds.
    package var stepTimeout: Int64
    /// Timeout for a whole scenario if it sets none, in nanoseconds.
    package var fileTimeout: Int64
    /// Limits for the data that is buffered and recorded.
    package var limits: SessionLimits

    /// Login names of operators, by handle. By default, an operator's login name is its handle until
    /// it uses `login`.
    package var loginNames: [String: [UInt8]] = [:]

    /// True to record how long each expectation waits; see `takeStepTimes()`.
    package var recordsStepTimes = false

    /// Creates options with default values.
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
