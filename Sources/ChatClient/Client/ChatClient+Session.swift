public import ChatModel

extension ChatClient {
    /// Logs in and waits for the server's answer.
    ///
    /// After the login, pings keep the session alive until ``logOut()``. Cancelling the task aborts
    /// the login. If the first login fails, it is not repeated.
    ///
    /// - Returns: the session, with the nickname that the server assigned.
    /// - Throws: ``ChatError/refused(_:)`` if the password is wrong, or if the nickname or an
    ///   equivalent one is in use (``ChatError/isConflict``); ``ChatError/notConnected(reason:)``
    ///   if the server cannot be reached; ``ChatError/alreadyLoggedIn`` if there is already a
    ///   session or a login in progress.
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

    /// Logs in without waiting.
    ///
    /// - Parameters:
    ///   - account: the user to log in.
    ///   - executor: the executor that calls `then`.
    ///   - then: called once with the result, as described for the `async` method.
    public func logIn(
        as account: ChatAccount, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<ClientSession, ChatError>) -> Void
    ) {
        let reply: Reply<ClientSession?> = executor.call { result in
            then(result.flatMap { $0.map { .success($0) } ?? .failure(.notLoggedIn) })
        }
        begin(reply, { $0.session }) { driver, id, waiter in driver.logIn(account, id, waiter) }
    }

    /// Logs out and waits until the session has ended.
    ///
    /// If the client is waiting to reconnect, it gives up reconnecting, and the logout succeeds.
    ///
    /// - Throws: ``ChatError/notLoggedIn`` if there is no session.
    public func logOut() async throws(ChatError) {
        try await wait { reply in
            begin(reply, { _ in () }) { driver, id, waiter in driver.logOut(id, waiter) }
        }
    }

    /// Logs out without waiting.
    ///
    /// - Parameters:
    ///   - executor: the executor that calls `then`.
    ///   - then: called once with the result.
    public func logOut(
        on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(executor.call(then), { _ in () }) { driver, id, waiter in driver.logOut(id, waiter) }
    }
}
