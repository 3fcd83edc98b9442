/// A sender of the commands of a live-support operator. Each method encodes and sends one command.
///
/// Every method throws ``CommandError`` if the dialect cannot encode the command, and passes on any
/// error that the proxy's `transmit` throws.
public struct OperatorLink: Sendable {
    private let proxy: CommandProxy

    /// Creates a link that sends through a proxy.
    public init(_ proxy: CommandProxy) { self.proxy = proxy }

    /// Logs in.
    public func login(nickname: String, password: String = "", visitor: Bool = false) throws {
        try proxy.send(
            LiveChat.Login(nickname: nickname, password: password, visitor: visitor))
    }

    /// Logs out.
    public func logout() throws { try proxy.send(LiveChat.Logout()) }

    /// Keeps the session alive.
    public func ping(token: String = "") throws { try proxy.send(LiveChat.Ping(token: token)) }

    /// Sends a message to a chat.
    public func message(from identifier: Int = 0, chat: Int, text: String) throws {
        try proxy.send(LiveChat.SendMessage(from: identifier, chat: chat, text: text))
    }

    /// Sends a chat message that only operators can see.
    public func hiddenMessage(from identifier: Int = 0, chat: Int, text: String) throws {
        try proxy.send(LiveChat.SendHidden(from: identifier, chat: chat, text: text))
    }

    /// Sends a private message.
    public func privateMessage(to nickname: String, text: String) throws {
        try proxy.send(LiveChat.SendPrivate(to: nickname, text: text))
    }

    /// Joins a chat.
    public func join(chat: Int) throws { try proxy.send(LiveChat.Join(chat: chat)) }

    /// Leaves a chat.
    public func leave(chat: Int) throws { try proxy.send(LiveChat.Leave(chat: chat)) }

    /// Requests the members of a chat, or all users for chat 0.
    public func who(chat: Int = 0) throws { try proxy.send(LiveChat.Who(chat: chat)) }

    /// Requests the most recent messages of a chat.
    public func history(chat: Int, count: Int = 512) throws {
        try proxy.send(LiveChat.History(chat: chat, count: count))
    }

    /// Opens a chat of the given scene with other members.
    public func open(_ scene: Scene, with members: [String]) throws {
        try proxy.send(LiveChat.Open(scene: scene.name, members: members))
    }

    /// Sends an image, a voice message or a hint to a chat.
    public func show(_ content: MessageContent, in chat: Int) throws {
        try proxy.send(
            LiveChat.SendContent(
                chat: chat, type: content.type.rawValue, format: content.mediaType,
                data: content.data))
    }

    /// Runs an add-on action, given as XML, in a chat.
    public func runAction(chat: Int, action: String) throws {
        try proxy.send(LiveChat.RunAction(chat: chat, action: action))
    }
}
