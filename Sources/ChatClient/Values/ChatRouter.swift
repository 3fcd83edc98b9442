public import Transport

/// A type that selects the server for an account. The client calls it before every connection
/// attempt, including reconnects.
public protocol ChatRouter: Sendable {
    /// Returns the server to connect to and the account to log in with on that server.
    ///
    /// The client cancels the task when it no longer needs the answer.
    ///
    /// - Throws: any error. The attempt to connect then fails, with the error's description as the
    ///   reason.
    func route(_ account: ChatAccount) async throws -> ChatRoute
}

/// A server, and the account to log in with.
public struct ChatRoute: Sendable, Hashable {
    /// The server's address.
    public var endpoint: Endpoint
    /// The account to log in with. It often contains a ticket from the router instead of the user's
    /// password.
    public var account: ChatAccount

    /// Creates a route from its parts.
    public init(_ endpoint: Endpoint, as account: ChatAccount) {
        self.endpoint = endpoint
        self.account = account
    }
}

/// A router that sends every account to the same server.
public struct DirectRouter: ChatRouter {
    private let endpoint: Endpoint

    /// Creates a router to the given server.
    public init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// Returns the server, and the account unchanged.
    public func route(_ account: ChatAccount) -> ChatRoute { ChatRoute(endpoint, as: account) }
}
