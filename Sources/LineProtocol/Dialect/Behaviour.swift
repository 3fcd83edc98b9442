/// A named sequence of scenario steps in a dialect, such as how to log in, send a probe or send a
/// text.
///
/// The steps are stored as source text with its location, because this module does not parse the
/// scenario language.
public struct Behaviour: Sendable, Equatable {
    /// The name of the behaviour.
    public var name: String
    /// Names of the parameters, in order.
    public var parameters: [String]
    /// What a server must support for checks that use the behaviour.
    public var needs: [OfferedName]
    /// The steps in the scenario language, without operator names.
    public var scenarioText: String
    /// Line where the text starts in the dialect file, from 1.
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

/// Timing rules of a dialect's servers, in nanoseconds; nil where unspecified.
public struct Timing: Sendable, Equatable {
    /// Interval at which clients send a keepalive.
    public var keepaliveInterval: Int64?
    /// Time without a keepalive after which the server ends the session.
    public var expiresAfter: Int64?
    /// Maximum time between connecting and logging in.
    public var loginWithin: Int64?
    /// Maximum delay of an answer caused by flood control.
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
