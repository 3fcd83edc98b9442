/// What a live-support operator can say: each method sends its command.
public struct OperatorLink: Sendable {
    private let proxy: CommandProxy

    /// The methods over a proxy.
    public init(_ proxy: CommandProxy) { self.proxy = proxy }

    /// Asks for a session.
    public func login(nickname: String, password: String = "", visitor: Bool = false) throws {
        try proxy.send(
            LiveChat.Login(nickname: nickname, password: password, visitor: visitor))
    }

    /// Ends the session.
    public func logout() throws { try proxy.send(LiveChat.Logout()) }

    /// Keeps the session alive.
    public func ping(token: String = "") throws { try proxy.send(LiveChat.Ping(token: token)) }

    /// Says something in a chat.
    public func message(from identifier: Int = 0, chat: Int, text: String) throws {
        try proxy.send(LiveChat.SendMessage(from: identifier, chat: chat, text: text))
    }

    /// Says something in a chat that only operators see.
    public func hiddenMessage(from identifier: Int = 0, chat: Int, text: String) throws {
        try proxy.send(LiveChat.SendHidden(from: identifier, chat: chat, text: text))
    }

    /// Says something to one other.
    public func privateMessage(to nickname: String, text: String) throws {
        try proxy.send(LiveChat.SendPrivate(to: nickname, text: text))
    }

    /// Enters a chat.
    public func join(chat: Int) throws { try proxy.send(LiveChat.Join(chat: chat)) }

    /// Leaves a chat.
    public func leave(chat: Int) throws { try proxy.send(LiveChat.Leave(chat: chat)) }

    /// Asks who is in a chat; 0 is everywhere.
    public func who(chat: Int = 0) throws { try proxy.send(LiveChat.Who(chat: chat)) }

    /// Asks for the last messages of a chat.
    public func history(chat: Int, count: Int = 512) throws {
        try proxy.send(LiveChat.History(chat: chat, count: count))
    }

    /// Opens a chat of a scene with others.
    public func open(_ scene: Scene, with members: [String]) throws {
        try proxy.send(LiveChat.Open(scene: scene.name, members: members))
    }

    /// Shows or hints something in a chat.
    public func show(_ content: MessageContent, in chat: Int) throws {
        try proxy.send(
            LiveChat.SendContent(
                chat: chat, type: content.type.rawValue, format: content.mediaType,
                data: content.data))
    }

    /// Runs an add-on action, an XML text, in a chat.
    public func runAction(chat: Int, action: String) throws {
        try proxy.send(LiveChat.RunAction(chat: chat, action: action))
    }
}
