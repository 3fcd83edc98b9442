import ChatModel
import LineProtocol

extension IRCVoice {
    /// PRIVMSG and NOTICE. A NOTICE is never answered, not even with a refusal.
    func talk(
        _ line: HeardLine, _ kind: TalkKind, _ id: ConnectionID, _ stage: inout Stage
    ) {
        let text = line.text("text") ?? []
        guard !text.isEmpty else {
            if kind == .talk {
                reply("noTextToSend", id, &stage, ["text": .text("No text to send")])
            }
            return
        }
        let targets = (line.text("target") ?? []).split(separator: 0x2C).map(Array.init)
        for (place, target) in targets.enumerated() {
            guard place < Self.targetsMax else {
                if kind == .talk {
                    reply(
                        "tooManyTargets", id, &stage,
                        ["target": .text(target), "text": .text("Too many targets")])
                }
                return
            }
            say(text, kind, to: target, id, &stage)
        }
    }

    private func say(
        _ text: [UInt8], _ kind: TalkKind, to target: [UInt8], _ id: ConnectionID,
        _ stage: inout Stage
    ) {
        do throws(Refusal) {
            if isChannel(target) {
                guard let room = room(target) else { throw Refusal.noSuchChat }
                try stage.attempt(
                    .say(from: 0, chat: room, text: text, isHidden: false, kind: kind), from: id)
            } else {
                try stage.attempt(.sayPrivately(to: target, text: text, kind: kind), from: id)
                if kind == .talk { tellAway(target, id, &stage) }
            }
        } catch {
            guard kind == .talk else { return }
            let cause = error.cause == .notInRoom ? .notAllowed : error.cause
            tell(Refusal(cause, ""), about: target, id, &stage)
        }
    }

    /// Tells a sender that who it writes to is away.
    private func tellAway(_ target: [UInt8], _ id: ConnectionID, _ stage: inout Stage) {
        guard let holder = stage.hall.holder(of: target),
            let session = stage.hall.session(holder), let away = session.away
        else { return }
        reply(
            "isAway", id, &stage,
            ["nickname": .text(session.nickname.bytes), "text": .text(away)])
    }

    func setAway(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let text = line.text("text") ?? []
        stage.ask(.away(text.isEmpty ? nil : text.letters(Self.reasonBytesMax)), from: id)
        if text.isEmpty {
            reply("noLongerAway", id, &stage, ["text": .text("You are no longer away")])
        } else {
            reply("nowAway", id, &stage, ["text": .text("You have been marked as away")])
        }
    }
}
