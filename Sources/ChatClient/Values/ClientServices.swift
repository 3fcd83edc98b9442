public import ChatModel

extension ServiceKey where Service == ClientSession {
    /// The client's session: published at each login and withdrawn when it ends.
    public static let session = ServiceKey("session")
}

extension ServiceKey where Service == SupportDesk {
    /// The client's models of account, operators, visitors and chats.
    public static let desk = ServiceKey("desk")
}

extension ServiceKey where Service == SharedMessageLog<ChatMessage> {
    /// The latest messages of all chats.
    public static let latestMessages = ServiceKey("latest messages")
}
