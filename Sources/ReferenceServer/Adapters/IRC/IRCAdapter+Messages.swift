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
        let targets = (line.text("target") ?? []).split(separator: 0x2C).map(Array.init)
        for (index, target) in targets.enumerated() {
            guard index < Self.targetsMax else {
                if kind == .message {
                    reply(
                        "tooManyTargets", id, &context,
                        ["target": .text(target), "text": .text("Too many targets")])
                }
                return
            }
            say(text, kind, to: target, id, &context)
        }
    }

    private func say(
        _ text: [UInt8], _ kind: TextKind, to target: [UInt8], _ id: ClientID,
        _ context: inout RequestContext
    ) {
        do throws(Refusal) {
            if isChannel(target) {
                guard let room = room(target) else { throw Refusal.noSuchChat }
                try context.attempt(
                    .say(from: 0, chat: room, text: text, isHidden: false, kind: kind), from: id)
            } else {
                try context.attempt(.sayPrivately(to: target, text: text, kind: kind), from: id)
                if kind == .message { replyAway(target, id, &context) }
            }
        } catch {
            guard kind == .message else { return }
            let cause = error.cause == .notInRoom ? .notAllowed : error.cause
            refuse(Refusal(cause, ""), about: target, id, &context)
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
