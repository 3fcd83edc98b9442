/// Oneself at a server.
public struct AccountState: Sendable, Hashable {
    /// Where the session stands.
    public enum Phase: Sendable, Hashable {
        case loggedOut(reason: String)
        case loggingIn
        case loggedIn
    }

    /// Where the session stands.
    public internal(set) var phase: Phase = .loggedOut(reason: "")
    /// The session's number; 0 where there is none.
    public internal(set) var identifier = 0
    /// The nickname one has, or wants to have.
    public internal(set) var nickname = ""
    /// What was refused last, for people.
    public internal(set) var lastRefusal: String?
    /// When the server ends, in nanoseconds since 1970, if it has said so.
    public internal(set) var serverEndsAt: Int64?

    /// Whether there is a session.
    public var isLoggedIn: Bool { phase == .loggedIn }

    /// Nobody yet.
    public init() {}
}

/// Oneself at a server, for views to follow.
public typealias Account = ObservedModel<AccountState>
