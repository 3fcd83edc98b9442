/// A piece of a scenario inside a dialect: how an operator logs in, is probed, sends a text.
///
/// It is kept as text with its place, because this layer does not know the scenario language.
public struct Behaviour: Sendable, Equatable {
    /// What it is called.
    public var name: String
    /// The parameters that its user gives, in order.
    public var parameters: [String]
    /// Steps in the scenario language, without operator names.
    public var scenarioText: String
    /// Where the text starts in its file: line and column from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// A value from its parts.
    public init(
        name: String, parameters: [String] = [], scenarioText: String, line: Int, column: Int
    ) {
        self.name = name
        self.parameters = parameters
        self.scenarioText = scenarioText
        self.line = line
        self.column = column
    }
}

/// The times that a dialect's servers keep, in nanoseconds; nil where the dialect does not say.
public struct Timing: Sendable, Equatable {
    /// How often an operator sends its keepalive.
    public var keepaliveInterval: Int64?
    /// After how long without one the server ends the session.
    public var expiresAfter: Int64?
    /// How long a connection may stay without a login.
    public var loginWithin: Int64?
    /// How long an answer may be held back by flood control.
    public var throttleMax: Int64?

    /// A value from its parts.
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
