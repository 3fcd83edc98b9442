/// The state of the user's own account on a server.
public struct AccountState: Sendable, Hashable {
    /// State of the session.
    public enum Phase: Sendable, Hashable {
        case loggedOut(reason: String)
        case loggingIn
        case loggedIn
    }

    /// The current state of the session.
    public internal(set) var phase: Phase = .loggedOut(reason: "")
    /// The session's id; 0 if not logged in.
    public internal(set) var identifier = 0
    /// The nickname in use or requested.
    public internal(set) var nickname = ""
    /// Reason of the last refusal, human-readable; nil if there was none.
    public internal(set) var lastRefusal: String?
    /// Time of the server's shutdown, in nanoseconds since 1970; nil if it has not announced a
    /// shutdown.
    public internal(set) var serverEndsAt: Int64?

    /// True if the account is logged in.
    public var isLoggedIn: Bool { phase == .loggedIn }

    /// Creates the state of a logged-out account.
    public init() {}
}

/// The user's own account, as an observable model.
public typealias Account = ObservedModel<AccountState>
