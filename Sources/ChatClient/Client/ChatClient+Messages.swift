public import ChatModel
import NIOCore

extension ChatClient {
    // MARK: Messages

    /// Sends a message to a chat and waits until the server has accepted it.
    ///
    /// - Parameters:
    ///   - text: the content of the message.
    ///   - chat: the chat's number.
    ///   - hidden: whether only operators can see the message.
    /// - Throws: ``ChatError/refused(_:)`` if the server refuses the message;
    ///   ``ChatError/connectionLost(reason:)`` if the connection was lost before the answer
    ///   arrived, so that the outcome is unknown.
    public func say(
        _ text: String, in chat: Int, hidden: Bool = false
    ) async throws(ChatError) {
        let message = OwnMessage(chat: chat, text: text, isHidden: hidden)
        if hidden {
            try await ask(LiveChat.SendHidden(chat: chat, text: text), message: message) { _ in }
        } else {
            try await ask(LiveChat.SendMessage(chat: chat, text: text), message: message) { _ in }
        }
    }

    /// Sends a message to a chat without waiting.
    ///
    /// - Parameters:
    ///   - text: the content of the message.
    ///   - chat: the chat's number.
    ///   - executor: the executor that calls `then`.
    ///   - then: called once with the result.
    public func say(
        _ text: String, in chat: Int, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(
            LiveChat.SendMessage(chat: chat, text: text), executor.call(then),
            message: OwnMessage(chat: chat, text: text)
        ) { _ in }
    }

    /// Sends a private message and waits until the server has accepted it.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if the server refuses the message, for example because
    ///   no user has this nickname.
    public func say(_ text: String, to nickname: String) async throws(ChatError) {
        try await ask(
            LiveChat.SendPrivate(to: nickname, text: text), message: OwnMessage(text: text)
        ) { _ in }
    }

    /// Sends a private message without waiting.
    ///
    /// - Parameters:
    ///   - text: the content of the message.
    ///   - nickname: the recipient's nickname.
    ///   - executor: the executor that calls `then`.
    ///   - then: called once with the result.
    public func say(
        _ text: String, to nickname: String, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(
            LiveChat.SendPrivate(to: nickname, text: text), executor.call(then),
            message: OwnMessage(text: text)
        ) { _ in }
    }

    /// Sends any client command of the dialect and waits until the server has processed it.
    ///
    /// - Throws: ``ChatError/unsendable(_:)`` if the dialect cannot encode it;
    ///   ``ChatError/refused(_:)`` if the server refuses it.
    public func send(_ command: some ChatCommand) async throws(ChatError) {
        try await ask(command) { _ in }
    }

    /// Sends any client command of the dialect without waiting.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - executor: the executor that calls `then`.
    ///   - then: called once with the result.
    public func send(
        _ command: some ChatCommand, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(command, executor.call(then)) { _ in }
    }

    // MARK: Scenes

    /// Opens a chat of the given scene with other users, or returns the existing one.
    ///
    /// - Parameters:
    ///   - scene: the type of chat.
    ///   - others: nicknames of the other members.
    /// - Returns: the chat's session.
    /// - Throws: ``ChatError/refused(_:)`` if one of the users is not logged in, or if there are
    ///   too many members for the scene.
    public func open(
        _ scene: Scene, with others: [String]
    ) async throws(ChatError) -> SceneSession {
        let opened = try await ask(
            LiveChat.Open(scene: scene.name, members: others), \.opened)
        let own = session?.nickname
        // While the request was in progress, other users may have opened chats with this user.
        let found = opened.last { $0.scene == scene.name && $0.members.contains { $0 == own } }
        guard let found, let session = sessions[found.conference] else {
            throw .notAnswered(command: "open")
        }
        return session
    }

    /// Sends content to a chat and waits until the server has accepted it.
    ///
    /// - Throws: ``ChatError/refused(_:)`` with ``ChatRefusal/notCarried`` if the scene of the chat
    ///   does not allow the content type.
    public func send(_ content: MessageContent, in chat: Int) async throws(ChatError) {
        if case .text(let text) = content { return try await say(text, in: chat) }
        let command = LiveChat.SendContent(
            chat: chat, type: content.type.rawValue, format: content.mediaType,
            data: content.data)
        try await ask(command, message: OwnMessage(chat: chat, content)) { _ in }
    }

    // MARK: Chats

    /// Joins a chat. After a reconnect, the client rejoins the chat.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if the server refuses it.
    public func join(_ chat: Int) async throws(ChatError) {
        try await ask(LiveChat.Join(chat: chat)) { _ in }
        eventLoop.execute { [driver] in driver.value.note(chat: chat, isIn: true) }
    }

    /// Leaves a chat.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if the user is not in the chat.
    public func leave(_ chat: Int) async throws(ChatError) {
        eventLoop.execute { [driver] in driver.value.note(chat: chat, isIn: false) }
        try await ask(LiveChat.Leave(chat: chat)) { _ in }
    }

    /// Returns the users in a chat, or all logged-in users for chat 0.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if the server refuses the request.
    public func people(in chat: Int = 0) async throws(ChatError) -> [ChatPerson] {
        try await ask(LiveChat.Who(chat: chat), \.people)
    }

    /// Returns the most recent messages of a chat, newest first.
    ///
    /// - Parameters:
    ///   - chat: the chat's number.
    ///   - count: maximum number of messages to return.
    /// - Throws: ``ChatError/refused(_:)`` if the user is not in the chat.
    public func history(of chat: Int, count: Int = 512) async throws(ChatError) -> [ChatMessage] {
        try await ask(LiveChat.History(chat: chat, count: count), \.records)
    }

    /// Runs an add-on action, given as XML, in a chat.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if the server refuses it.
    public func runAction(_ xml: String, in chat: Int) async throws(ChatError) {
        try await ask(LiveChat.RunAction(chat: chat, action: xml)) { _ in }
    }
}
