import ChatModel
import LineProtocol

extension IRCAdapter {
    /// PRIVMSG and NOTICE. A NOTICE is never answered, not even with a refusal.
    func talk(
        _ line: RequestLine, _ kind: TalkKind, _ id: ConnectionID, _ context: inout RequestContext
    ) {
        let text = line.text("text") ?? []
        guard !text.isEmpty else {
            if kind == .talk {
                reply("noTextToSend", id, &context, ["text": .text("No text to send")])
            }
            return
        }
        let targets = (line.text("target") ?? []).split(separator: 0x2C).map(Array.init)
        for (place, target) in targets.enumerated() {
            guard place < Self.targetsMax else {
                if kind == .talk {
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
        _ text: [UInt8], _ kind: TalkKind, to target: [UInt8], _ id: ConnectionID,
        _ context: inout RequestContext
    ) {
        do throws(Refusal) {
            if isChannel(target) {
                guard let room = room(target) else { throw Refusal.noSuchChat }
                try context.attempt(
                    .say(from: 0, chat: room, text: text, isHidden: false, kind: kind), from: id)
            } else {
                try context.attempt(.sayPrivately(to: target, text: text, kind: kind), from: id)
                if kind == .talk { tellAway(target, id, &context) }
            }
        } catch {
            guard kind == .talk else { return }
            let cause = error.cause == .notInRoom ? .notAllowed : error.cause
            tell(Refusal(cause, ""), about: target, id, &context)
        }
    }

    /// Tells a sender that who it writes to is away.
    private func tellAway(_ target: [UInt8], _ id: ConnectionID, _ context: inout RequestContext) {
        guard let holder = context.service.holder(of: target),
            let session = context.service.session(holder), let away = session.away
        else { return }
        reply(
            "isAway", id, &context,
            ["nickname": .text(session.nickname.bytes), "text": .text(away)])
    }

    func setAway(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext) {
        let text = line.text("text") ?? []
        context.ask(.away(text.isEmpty ? nil : text.letters(Self.reasonBytesMax)), from: id)
        if text.isEmpty {
            reply("noLongerAway", id, &context, ["text": .text("You are no longer away")])
        } else {
            reply("nowAway", id, &context, ["text": .text("You have been marked as away")])
        }
    }
}
