public import ChatModel

extension ServiceKey where Service == ClientSession {
    /// The session that a client has: published by each login, withdrawn with its loss.
    public static let session = ServiceKey("session")
}

extension ServiceKey where Service == SupportDesk {
    /// Account, operators, visitors and chats.
    public static let desk = ServiceKey("desk")
}

extension ServiceKey where Service == SharedMessageLog<ChatMessage> {
    /// The latest messages of all chats.
    public static let latestMessages = ServiceKey("latest messages")
}
