/// The state of the user's own account on a server.
public struct AccountState: Sendable, Hashable {
    /// Phase of the session.
    public enum Phase: Sendable, Hashable {
        case loggedOut(reason: String)
        case loggingIn
        case loggedIn
    }

    /// The current phase of the session.
    public internal(set) var phase: Phase = .loggedOut(reason: "")
    /// The session's id; 0 if not logged in.
    public internal(set) var identifier = 0
    /// The nickname in use or requested.
    public internal(set) var nickname = ""
    /// Human-readable reason of the last refusal; nil if nothing was refused.
    public internal(set) var lastRefusal: String?
    /// Time of the announced server shutdown, in nanoseconds since 1970; nil if none was announced.
    public internal(set) var serverEndsAt: Int64?

    /// True if the account is logged in.
    public var isLoggedIn: Bool { phase == .loggedIn }

    /// Creates the state of a logged-out account.
    public init() {}
}

/// The user's own account, as an observable model.
public typealias Account = ObservedModel<AccountState>
