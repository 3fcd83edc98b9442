import ChatModel

extension SupportDesk {
    /// Applies a client's event to the models.
    func update(with event: ChatEvent, now: Int64) {
        switch event {
        case .message(let message): add(message, now: now)
        case .joined(let chat, let nickname):
            apply(.joined(chat: chat, nickname: nickname), now: now)
        case .left(let chat, let nickname): apply(.left(chat: chat, nickname: nickname), now: now)
        case .arrived(let person):
            apply(.present(Person(person), isVisitor: person.isVisitor), now: now)
        case .departed(let person, _):
            apply(.departed(Person(person), isVisitor: person.isVisitor), now: now)
        case .present(let people):
            for person in people {
                apply(.present(Person(person), isVisitor: person.isVisitor), now: now)
            }
        case .loggedIn(let session):
            apply(.loggedIn(Person(id: session.identifier, nickname: session.nickname)), now: now)
        case .connectionLost(let reason, _), .ended(let reason):
            apply(.loggedOut(reason: reason), now: now)
        case .goingDown(let seconds, _): apply(.goingDown(seconds: seconds), now: now)
        case .refused(let refusal): apply(.refused(reason: refusal.description), now: now)
        case .opened(let chat, _, let members):
            for member in members { apply(.joined(chat: chat, nickname: member), now: now) }
        case .chatEnded(let chat, _):
            apply(.left(chat: chat, nickname: account.nickname), now: now)
        case .action: break
        }
    }

    /// Adds a text message to its chat. Private messages belong to no chat, and a desk shows only
    /// text.
    private func add(_ message: ChatMessage, now: Int64) {
        guard let chat = message.chat, message.content.type == .text else { return }
        if message.isOwn {
            addOwnMessage(message.text, in: chat, isHidden: message.isHidden, now: message.time)
            return
        }
        let deskMessage = DeskMessage(
            id: .number(message.id.number), time: message.time, sender: message.sender,
            text: message.text, isHidden: message.isHidden)
        apply(.message(chat: chat, deskMessage), now: now)
    }
}

extension Person {
    init(_ person: ChatPerson) { self.init(id: person.id, nickname: person.nickname) }
}
