public import ChatModel

extension ChatClient {
    /// Logs in and returns when the server has given a session, or has not.
    ///
    /// From then on the session is kept alive by pings until ``logOut()``. A task that is cancelled meanwhile
    /// gives the login up.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if the nickname is in use in whatever case
    ///   (``ChatError/isConflict``) or the password is wrong; ``ChatError/notConnected(reason:)`` if there is no
    ///   server. The first login is tried once.
    @discardableResult
    public func logIn(as account: ChatAccount) async throws(ChatError) -> ClientSession {
        let session = try await wait { reply in
            begin(reply, { $0.session }) { driver, id, waiter in
                driver.logIn(account, id, waiter)
            }
        }
        guard let session else { throw .notLoggedIn }
        return session
    }

    /// Logs in without waiting, and calls back.
    public func logIn(
        as account: ChatAccount, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<ClientSession, ChatError>) -> Void
    ) {
        let reply: Reply<ClientSession?> = executor.call { result in
            then(result.flatMap { $0.map { .success($0) } ?? .failure(.notLoggedIn) })
        }
        begin(reply, { $0.session }) { driver, id, waiter in driver.logIn(account, id, waiter) }
    }

    /// Logs out and returns when the session is over.
    ///
    /// One that waits for a connection gives up, which is no error.
    public func logOut() async throws(ChatError) {
        try await wait { reply in
            begin(reply, { _ in () }) { driver, id, waiter in driver.logOut(id, waiter) }
        }
    }

    /// Logs out without waiting, and calls back.
    public func logOut(
        on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(executor.call(then), { _ in () }) { driver, id, waiter in driver.logOut(id, waiter) }
    }
}
