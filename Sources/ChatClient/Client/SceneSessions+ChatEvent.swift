import ChatModel

extension SceneSessions {
    /// Opens, updates and ends sessions according to a client's events.
    ///
    /// A server announces joins and leaves but not the existing members, so anyone who sends a
    /// message is added as a member.
    func update(with event: ChatEvent, now: Int64) throws(SceneError) {
        switch event {
        case .opened(let chat, let scene, let members):
            _ = try open(scene, id: chat, members: members, now: now)
        case .joined(let chat, let nickname):
            let session = try open(.group, id: chat, members: [nickname], now: now)
            try session.join(named: nickname)
        case .left(let chat, let nickname): self[chat]?.leave(named: nickname)
        case .chatEnded(let chat, _): self[chat]?.end()
        case .message(let message): try add(message, now: now)
        case .connectionLost, .ended: endAll()
        default: break
        }
    }

    private func add(_ message: ChatMessage, now: Int64) throws(SceneError) {
        guard let chat = message.chat, let session = self[chat] else { return }
        try session.join(named: message.sender)
        let sceneMessage = SceneMessage(
            id: "\(message.id.login)/\(message.id.number)", time: message.time,
            sender: message.sender, content: message.content)
        try session.post(sceneMessage, now: now)
    }
}
