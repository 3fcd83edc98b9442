import ChatModel
import LineProtocol

extension IRCAdapter {
    /// Handles PRIVMSG and NOTICE. A NOTICE is never answered, not even with a refusal.
    func sendText(
        _ line: RequestLine, _ kind: TextKind, _ id: ClientID, _ context: inout RequestContext
    ) {
        let text = line.text("text") ?? []
        guard !text.isEmpty else {
            if kind == .message {
                reply("noTextToSend", id, &context, ["text": .text("No text to send")])
            }
            return
        }
        send(text, line, kind, id, &context)
    }

    /// Handles TAGMSG, which is unknown to clients without `message-tags`.
    func sendTags(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard has(.messageTags, id) else { return receiveUnknown(line, id, &context) }
        send([], line, .tagsOnly, id, &context)
    }

    private func send(
        _ text: [UInt8], _ line: RequestLine, _ kind: TextKind, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let targets = (line.text("target") ?? []).split(separator: 0x2C).map(Array.init)
        for (index, target) in targets.enumerated() {
            guard index < Self.targetsMax else {
                if kind != .notice {
                    reply(
                        "tooManyTargets", id, &context,
                        ["target": .text(target), "text": .text("Too many targets")])
                }
                return
            }
            say(text, kind, messageTags(of: line, id), to: target, id, &context)
        }
    }

    private func say(
        _ text: [UInt8], _ kind: TextKind, _ tags: [UInt8], to target: [UInt8], _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let start = context.effects.count
        do throws(Refusal) {
            if isChannel(target) {
                guard let room = room(target) else { throw Refusal.noSuchChat }
                try context.attempt(
                    .say(from: 0, chat: room, text: text, isHidden: false, kind: kind, tags: tags),
                    from: id)
                echo(since: start, to: target, id, &context)
            } else {
                try context.attempt(
                    .sayPrivately(to: target, text: text, kind: kind, tags: tags), from: id)
                echo(since: start, to: target, id, &context)
                if kind == .message { replyAway(target, id, &context) }
            }
        } catch {
            guard kind != .notice else { return }
            let cause = error.cause == .notInRoom ? .notAllowed : error.cause
            refuse(Refusal(cause, ""), about: target, id, &context)
        }
    }

    /// Echoes a message to its sender if the sender has enabled `echo-message`.
    ///
    /// - Parameter start: Number of effects before the message was sent.
    private func echo(
        since start: Int, to target: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        guard has(.echoMessage, id) else { return }
        for effect in context.effects[start...] {
            guard case .broadcast(_, _, let notice) = effect, notice.isMessage else { continue }
            var line: [UInt8] = []
            do {
                try encodeMessage(notice, to: id, shown: target, context.service, &line)
            } catch {
                return
            }
            return context.answer(id, line)
        }
    }

    /// Notifies the sender if the recipient is away.
    private func replyAway(_ target: [UInt8], _ id: ClientID, _ context: inout RequestContext) {
        guard let holder = context.service.holder(of: target),
            let session = context.service.session(holder), let away = session.away
        else { return }
        reply(
            "isAway", id, &context,
            ["nickname": .text(session.nickname.bytes), "text": .text(away)])
    }

    func setRealName(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let name = line.text("realname") ?? []
        guard name.count <= Self.realNameBytesMax else {
            return reply(
                "fail", id, &context,
                [
                    "command": .text("SETNAME"), "code": .text("INVALID_REALNAME"),
                    "description": .text("The real name is too long"),
                ])
        }
        context.service.setRealName(name, id, &context.effects)
    }

    func setAway(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let text = line.text("text") ?? []
        context.ask(.away(text.isEmpty ? nil : text.letters(Self.reasonBytesMax)), from: id)
        if text.isEmpty {
            reply("noLongerAway", id, &context, ["text": .text("You are no longer away")])
        } else {
            reply("nowAway", id, &context, ["text": .text("You have been marked as away")])
        }
    }
}
