public import ChatModel
import NIOCore

extension ChatClient {
    // MARK: Talking

    /// Says something in a chat, and returns when the server has taken it.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if it has not; ``ChatError/connectionLost(reason:)`` if nobody knows.
    public func say(
        _ text: String, in chat: Int, hidden: Bool = false
    ) async throws(ChatError) {
        let said = SaidText(chat: chat, text: text, isHidden: hidden)
        if hidden {
            try await ask(LiveChat.SendHidden(chat: chat, text: text), said: said) { _ in }
        } else {
            try await ask(LiveChat.SendMessage(chat: chat, text: text), said: said) { _ in }
        }
    }

    /// Says something in a chat without waiting, and calls back on the executor.
    public func say(
        _ text: String, in chat: Int, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(
            LiveChat.SendMessage(chat: chat, text: text), executor.call(then),
            said: SaidText(chat: chat, text: text)
        ) { _ in }
    }

    /// Says something to one alone, and returns when the server has taken it.
    public func say(_ text: String, to nickname: String) async throws(ChatError) {
        try await ask(
            LiveChat.SendPrivate(to: nickname, text: text), said: SaidText(text: text)
        ) { _ in }
    }

    /// Says something to one alone without waiting, and calls back on the executor.
    public func say(
        _ text: String, to nickname: String, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(
            LiveChat.SendPrivate(to: nickname, text: text), executor.call(then),
            said: SaidText(text: text)
        ) { _ in }
    }

    /// Sends any command of the dialect, and returns when the server has dealt with it.
    public func send(_ command: some ChatCommand) async throws(ChatError) {
        try await ask(command) { _ in }
    }

    /// Sends any command of the dialect without waiting, and calls back on the executor.
    public func send(
        _ command: some ChatCommand, on executor: ListenerExecutor = .pool,
        then: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) {
        begin(command, executor.call(then)) { _ in }
    }

    // MARK: Scenes

    /// Opens a chat of a scene with others and returns its session, or the one that they have.
    ///
    /// - Throws: ``ChatError/refused(_:)`` if one of them is not here, or they are too many for the scene.
    public func open(
        _ scene: Scene, with others: [String]
    ) async throws(ChatError) -> SceneSession {
        let opened = try await ask(
            LiveChat.Open(scene: scene.name, members: others), \.opened)
        let own = session?.nickname
        // Others may have opened chats with us while we waited.
        let found = opened.last { $0.scene == scene.name && $0.members.contains { $0 == own } }
        guard let found, let session = sessions[found.conference] else {
            throw .notAnswered(command: "open")
        }
        return session
    }

    /// Says, shows or hints something in a chat, and returns when the server has taken it.
    ///
    /// - Throws: ``ChatError/refused(_:)`` with ``ChatRefusal/notCarried`` if the chat's scene does not carry
    ///   it.
    public func send(_ content: MessageContent, in chat: Int) async throws(ChatError) {
        if case .text(let text) = content { return try await say(text, in: chat) }
        let command = LiveChat.SendContent(
            chat: chat, type: content.type.rawValue, format: content.mediaType,
            data: content.data)
        try await ask(command, said: SaidText(chat: chat, content)) { _ in }
    }

    // MARK: Chats

    /// Enters a chat. After a loss of the connection it is entered again.
    public func join(_ chat: Int) async throws(ChatError) {
        try await ask(LiveChat.Join(chat: chat)) { _ in }
        eventLoop.execute { [driver] in driver.value.note(chat: chat, isIn: true) }
    }

    /// Leaves a chat.
    public func leave(_ chat: Int) async throws(ChatError) {
        eventLoop.execute { [driver] in driver.value.note(chat: chat, isIn: false) }
        try await ask(LiveChat.Leave(chat: chat)) { _ in }
    }

    /// Who is here: in a chat, or everywhere.
    public func people(in chat: Int = 0) async throws(ChatError) -> [ChatPerson] {
        try await ask(LiveChat.Who(chat: chat), \.people)
    }

    /// The last messages of a chat, newest first.
    public func history(of chat: Int, count: Int = 512) async throws(ChatError) -> [ChatMessage] {
        try await ask(LiveChat.History(chat: chat, count: count), \.records)
    }

    /// Runs an add-on action, an XML text, in a chat.
    public func runAction(_ xml: String, in chat: Int) async throws(ChatError) {
        try await ask(LiveChat.RunAction(chat: chat, action: xml)) { _ in }
    }
}
