public import Transport

/// Knows where an account has its session: asked for each connection, also when one was lost.
public protocol ChatRouter: Sendable {
    /// The server to connect to, and who logs in there.
    func route(_ account: ChatAccount) async throws -> ChatRoute
}

/// Where a session is to be had, and as whom.
public struct ChatRoute: Sendable, Hashable {
    /// The server.
    public var endpoint: Endpoint
    /// Who logs in there: often not with the password that the router took, but with a ticket of its own.
    public var account: ChatAccount

    /// A route from its parts.
    public init(_ endpoint: Endpoint, as account: ChatAccount) {
        self.endpoint = endpoint
        self.account = account
    }
}

/// One server that takes every account itself.
public struct DirectRouter: ChatRouter {
    private let endpoint: Endpoint

    /// A router to one server.
    public init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// The server, and the account as it is.
    public func route(_ account: ChatAccount) -> ChatRoute { ChatRoute(endpoint, as: account) }
}
