/// A named sequence of scenario steps in a dialect, for example for logging in, sending a probe or
/// sending a message.
///
/// The steps are stored as source text along with its location, because this module does not parse
/// the scenario language.
public struct Behaviour: Sendable, Equatable {
    /// The name of the behaviour.
    public var name: String
    /// Names of the parameters, in order.
    public var parameters: [String]
    /// Features that a server must support for checks to use this behaviour.
    public var needs: [OfferedName]
    /// The steps in the scenario language, without operator names.
    public var scenarioText: String
    /// Line of the dialect file where the text starts, from 1.
    public var line: Int
    /// Column where the text starts, from 1.
    public var column: Int

    /// Creates a behaviour.
    public init(
        name: String, parameters: [String] = [], needs: [OfferedName] = [], scenarioText: String,
        line: Int, column: Int
    ) {
        self.name = name
        self.parameters = parameters
        self.needs = needs
        self.scenarioText = scenarioText
        self.line = line
        self.column = column
    }
}

/// Timing rules of a dialect's servers, in nanoseconds. A rule is nil if the dialect does not
/// specify it.
public struct Timing: Sendable, Equatable {
    /// Interval between keepalives from a client.
    public var keepaliveInterval: Int64?
    /// Time without a keepalive after which a session expires.
    public var expiresAfter: Int64?
    /// Maximum time between connecting and logging in.
    public var loginWithin: Int64?
    /// Maximum delay that flood control may add to an answer.
    public var throttleMax: Int64?

    /// Creates timing rules.
    public init(
        keepaliveInterval: Int64? = nil, expiresAfter: Int64? = nil, loginWithin: Int64? = nil,
        throttleMax: Int64? = nil
    ) {
        self.keepaliveInterval = keepaliveInterval
        self.expiresAfter = expiresAfter
        self.loginWithin = loginWithin
        self.throttleMax = throttleMax
    }
}
