public import ChatModel
public import LineProtocol
public import NIOCore
public import NIOPosix
public import Transport

/// A client of a chat: logs in, stays there until it logs out, talks, and tells its listeners what comes.
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
/// - Nothing that is asked for blocks. The `async` methods return when the server has dealt with the request;
///   their counterparts with `then:` return at once and call back on an executor of one's choice.
/// - From login to logout the session is kept alive, and had again when the connection is lost, as
///   ``ChatClientOptions/reconnect`` says.
/// - A client is on one event loop. No lock is held while anybody is called.
/// - ``close()`` has to be called in the end.
public final class ChatClient: Sendable {
    let words: ChatWords
    let options: ChatClientOptions
    let shared: ClientShared
    let eventLoop: any EventLoop
    let driver: NIOLoopBoundBox<ClientDriver>

    /// A client that speaks `dialect` with the servers that a router knows.
    ///
    /// - Parameters:
    ///   - security: what secures connections to endpoints that ask for it (`TLSClient` in `TransportTLS`).
    ///   - group: the threads to be on.
    /// - Throws: if the dialect lacks a command that no session can do without.
    public init(
        speaking dialect: Dialect, through router: any ChatRouter,
        options: ChatClientOptions? = nil, security: (any ConnectionSecurity)? = nil,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(CommandError) {
        let options = options ?? ChatClientOptions(dialect)
        let words = try ChatWords(dialect)
        let shared = ClientShared(options)
        let eventLoop = group.next()
        let connector = ClientConnector(
            router: router, security: security, portByDefault: dialect.port, options: options)
        self.words = words
        self.options = options
        self.shared = shared
        self.eventLoop = eventLoop
        driver = NIOLoopBoundBox.makeBoxSendingValue(
            ClientDriver(words, options, connector, shared, eventLoop), eventLoop: eventLoop)
    }

    /// A client that speaks `dialect` with one server.
    public convenience init(
        speaking dialect: Dialect, at endpoint: Endpoint, options: ChatClientOptions? = nil,
        security: (any ConnectionSecurity)? = nil,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(CommandError) {
        try self.init(
            speaking: dialect, through: DirectRouter(endpoint), options: options,
            security: security, on: group)
    }

    /// A client that speaks `dialect` with the server that a text names: `host`, `host:port`, `tls://host:port`,
    /// `unix:/path`. Without a port it is the dialect's.
    public convenience init(
        speaking dialect: Dialect, at server: String, options: ChatClientOptions? = nil,
        security: (any ConnectionSecurity)? = nil
    ) throws {
        let endpoint = try Endpoint(parsing: server, option: "the server")
        try self.init(speaking: dialect, at: endpoint, options: options, security: security)
    }

    /// The session that there is now.
    public var session: ClientSession? { shared.currentSession }

    /// The latest messages, at most ``ChatClientOptions/messagesMax``, by their time; one's own, too. Listeners
    /// of the log hear each change.
    public var messages: SharedMessageLog<ChatMessage> { shared.messages }

    /// Account, operators, visitors and chats, as models that views follow.
    public var desk: SupportDesk { shared.desk }

    /// The chats that are under way, each with what its scene carries and what was said: found by their
    /// numbers, or by who is in them. They end with the connection.
    public var sessions: SceneSessions { shared.sessions }

    /// What outlives sessions and logins: ``ChatModel/ServiceKey/session``, ``ChatModel/ServiceKey/desk``,
    /// ``ChatModel/ServiceKey/latestMessages``, and what one publishes oneself.
    public var services: DataServices { shared.services }

    // MARK: Listeners

    /// Adds one who hears of every event from now on, on its own executor.
    @discardableResult
    public func add(_ listener: Listener<ChatEvent>) throws(MulticastError) -> ListenerID {
        try shared.events.add(listener)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { shared.events.remove(listener) }

    /// The events from now on, for a `for await` loop.
    public func events(
        named name: String = "events", queue: ListenerQueue = ListenerQueue()
    ) throws(MulticastError) -> AsyncStream<ChatEvent> {
        try shared.events.events(named: name, queue: queue)
    }

    // MARK: The end

    /// Ends the connection and everything that waits, with no logout if there was none. Listeners hear nothing
    /// more. The client is of no use afterwards.
    public func close() {
        guard shared.close() else { return }
        eventLoop.execute { [driver, shared] in
            driver.value.close()
            shared.forgetSession()
            shared.events.finish()
        }
    }
}
