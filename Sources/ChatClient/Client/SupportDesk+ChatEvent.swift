import ChatModel

extension SupportDesk {
    /// Puts what a client tells its listeners into the models.
    func follow(_ event: ChatEvent, now: Int64) {
        switch event {
        case .message(let message): follow(message, now: now)
        case .joined(let chat, let nickname):
            apply(.joined(chat: chat, nickname: nickname), now: now)
        case .left(let chat, let nickname): apply(.left(chat: chat, nickname: nickname), now: now)
        case .arrived(let person):
            apply(.here(Person(person), isVisitor: person.isVisitor), now: now)
        case .departed(let person, _):
            apply(.gone(Person(person), isVisitor: person.isVisitor), now: now)
        case .present(let people):
            for person in people {
                apply(.here(Person(person), isVisitor: person.isVisitor), now: now)
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

    /// What is said to one alone belongs to no chat, and a desk shows texts.
    private func follow(_ message: ChatMessage, now: Int64) {
        guard let chat = message.chat, message.content.type == .text else { return }
        if message.isOwn {
            says(message.text, in: chat, isHidden: message.isHidden, now: message.time)
            return
        }
        let said = Said(
            id: .number(message.id.number), time: message.time, sender: message.sender,
            text: message.text, isHidden: message.isHidden)
        apply(.said(chat: chat, said), now: now)
    }
}

extension Person {
    init(_ person: ChatPerson) { self.init(id: person.id, nickname: person.nickname) }
}
