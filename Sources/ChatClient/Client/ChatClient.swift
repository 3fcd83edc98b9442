public import ChatModel
public import LineProtocol
public import NIOCore
public import NIOPosix
public import Transport

/// A chat client that logs in, keeps the session alive until logout, sends messages and notifies
/// listeners of events.
///
/// ```swift
/// let client = try ChatClient(speaking: dialect, at: "127.0.0.1:7070")
/// try client.add(Listener(named: "print", on: .pool) { event in print(event) })
/// try await client.logIn(as: ChatAccount(nickname: "Joe"))
/// try await client.join(2134)
/// try await client.say("Hello!", in: 2134)
/// try await client.logOut()
/// client.close()
/// ```
///
/// - No request blocks the calling thread. The `async` methods return when the server has processed
///   the request; their counterparts with `then:` return immediately and call back on an executor
///   of your choice.
/// - The session is kept alive from login to logout. If the connection is lost, the client
///   re-establishes the session as ``ChatClientOptions/reconnect`` specifies.
/// - A client runs on a single event loop. Its methods may be called from any thread, and no lock
///   is held during callbacks.
/// - Call ``close()`` when you no longer need the client.
public final class ChatClient: Sendable {
    let codec: ChatCodec
    let options: ChatClientOptions
    let shared: ClientShared
    let eventLoop: any EventLoop
    let driver: NIOLoopBoundBox<ClientDriver>

    /// Creates a client that connects to servers selected by a router. It does not connect until
    /// the first login.
    ///
    /// - Parameters:
    ///   - dialect: the dialect that the server uses.
    ///   - router: selects the server for each connection.
    ///   - options: limits and timeouts; nil to use the dialect's defaults.
    ///   - security: adds TLS to connections to endpoints that require it, such as `TLSClient` in
    ///     `TransportTLS`; nil if no endpoint requires TLS.
    ///   - group: provides the event loop.
    /// - Throws: `CommandError` if the dialect lacks a command that every session needs.
    public init(
        speaking dialect: Dialect, through router: any ChatRouter,
        options: ChatClientOptions? = nil, security: (any ConnectionSecurity)? = nil,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(CommandError) {
        let options = options ?? ChatClientOptions(dialect)
        let codec = try ChatCodec(dialect)
        let shared = ClientShared(options)
        let eventLoop = group.next()
        let connector = ClientConnector(
            router: router, security: security, dialect: dialect, options: options)
        self.codec = codec
        self.options = options
        self.shared = shared
        self.eventLoop = eventLoop
        driver = NIOLoopBoundBox.makeBoxSendingValue(
            ClientDriver(codec, options, connector, shared, eventLoop), eventLoop: eventLoop)
    }

    /// Creates a client that connects to one server.
    ///
    /// - Parameters:
    ///   - dialect: the dialect that the server uses.
    ///   - endpoint: the server's address.
    ///   - options: limits and timeouts; nil to use the dialect's defaults.
    ///   - security: adds TLS to the connection if the endpoint requires it; nil if it does not.
    ///   - group: provides the event loop.
    /// - Throws: `CommandError` if the dialect lacks a command that every session needs.
    public convenience init(
        speaking dialect: Dialect, at endpoint: Endpoint, options: ChatClientOptions? = nil,
        security: (any ConnectionSecurity)? = nil,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(CommandError) {
        try self.init(
            speaking: dialect, through: DirectRouter(endpoint), options: options,
            security: security, on: group)
    }

    /// Creates a client that connects to one server.
    ///
    /// - Parameters:
    ///   - dialect: the dialect that the server uses.
    ///   - server: the address as `host`, `host:port`, `tls://host:port` or `unix:/path`. The port
    ///     defaults to the dialect's.
    ///   - options: limits and timeouts; nil to use the dialect's defaults.
    ///   - security: adds TLS to the connection if the address requires it; nil if it does not.
    /// - Throws: an error if the address is invalid, or `CommandError` if the dialect lacks a
    ///   command that every session needs.
    public convenience init(
        speaking dialect: Dialect, at server: String, options: ChatClientOptions? = nil,
        security: (any ConnectionSecurity)? = nil
    ) throws {
        let endpoint = try Endpoint(parsing: server, option: "the server")
        try self.init(speaking: dialect, at: endpoint, options: options, security: security)
    }

    /// The current session; nil if not logged in.
    public var session: ClientSession? { shared.currentSession }

    /// The latest messages, including the user's own, sorted by time; at most
    /// ``ChatClientOptions/messagesMax``. The log notifies its listeners of each change.
    public var messages: SharedMessageLog<ChatMessage> { shared.messages }

    /// The account, operators, visitors and chats, as observable models.
    public var desk: SupportDesk { shared.desk }

    /// The open chats with their scenes and messages, by number or by member. When the connection
    /// is lost, these sessions end.
    public var sessions: SceneSessions { shared.sessions }

    /// Services that outlive sessions and logins: `session`, `desk` and `latestMessages` of
    /// `ServiceKey`, and any that you publish yourself.
    public var services: DataServices { shared.services }

    // MARK: Listeners

    /// Adds a listener. It receives all subsequent events, on its own executor.
    ///
    /// - Returns: the id for removing the listener.
    /// - Throws: `MulticastError` if there are too many listeners or the client is closed.
    @discardableResult
    public func add(_ listener: Listener<ChatEvent>) throws(MulticastError) -> ListenerID {
        try shared.events.add(listener)
    }

    /// Removes a listener, as `Multicast.remove(_:)` does. Returns false if there is no such
    /// listener.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { shared.events.remove(listener) }

    /// Returns a sequence of all subsequent events, for use in `for await` loops. It ends when the
    /// client is closed.
    ///
    /// - Parameters:
    ///   - name: the name used in reports.
    ///   - queue: the sequence's buffer and its overflow policy.
    /// - Throws: `MulticastError` if there are too many listeners or the client is closed.
    public func events(
        named name: String = "events", queue: ListenerQueue = ListenerQueue()
    ) throws(MulticastError) -> AsyncStream<ChatEvent> {
        try shared.events.events(named: name, queue: queue)
    }

    // MARK: Closing

    /// Closes the connection without logging out. Pending requests fail with ``ChatError/closed``,
    /// listeners receive no more events, and the client can no longer be used. A second call has no
    /// effect.
    public func close() {
        guard shared.close() else { return }
        eventLoop.execute { [driver, shared] in
            driver.value.close()
            shared.forgetSession()
            shared.events.finish()
        }
    }
}
