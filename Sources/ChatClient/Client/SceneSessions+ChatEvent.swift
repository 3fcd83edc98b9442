import ChatModel

extension SceneSessions {
    /// Opens, carries on and ends the sessions of which a client hears.
    ///
    /// A server says who comes and goes, and not who is in a chat already: whoever speaks is in it.
    func follow(_ event: ChatEvent, now: Int64) throws(SceneError) {
        switch event {
        case .opened(let chat, let scene, let members):
            _ = try open(scene, id: chat, members: members, now: now)
        case .joined(let chat, let nickname):
            let session = try open(.group, id: chat, members: [nickname], now: now)
            try session.join(named: nickname)
        case .left(let chat, let nickname): self[chat]?.leave(named: nickname)
        case .chatEnded(let chat, _): self[chat]?.end()
        case .message(let message): try follow(message, now: now)
        case .connectionLost, .ended: endAll()
        default: break
        }
    }

    private func follow(_ message: ChatMessage, now: Int64) throws(SceneError) {
        guard let chat = message.chat, let session = self[chat] else { return }
        try session.join(named: message.sender)
        let said = SceneMessage(
            id: "\(message.id.login)/\(message.id.number)", time: message.time,
            sender: message.sender, content: message.content)
        try session.post(said, now: now)
    }
}
