import ChatModel
import LineProtocol

/// The commands that send messages: PRIVMSG, NOTICE and TAGMSG.
struct IRCMessages {
    let replies: IRCReplies
    let clients: IRCClients
    let notices: IRCNoticeEncoder
    let rules: IRCRules
    /// Number of messages so far, used to generate message IDs.
    private var count = 0

    init(_ notices: IRCNoticeEncoder, _ rules: IRCRules) {
        self.notices = notices
        self.rules = rules
        replies = notices.replies
        clients = notices.clients
    }

    /// Handles PRIVMSG and NOTICE. A NOTICE is never answered, not even with a refusal.
    mutating func sendText(
        _ line: RequestLine, _ kind: TextKind, _ id: ClientID, _ context: inout RequestContext
    ) {
        let text = line.text("text") ?? []
        guard !text.isEmpty else {
            if kind == .message {
                replies.send("noTextToSend", to: id, &context, text: "No text to send")
            }
            return
        }
        send(text, line, kind, id, &context)
    }

    /// Handles TAGMSG, which is unknown to clients without `message-tags`.
    mutating func sendTags(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard clients.has(.messageTags, id) else {
            return replies.unknownCommand(line, id, &context)
        }
        send([], line, .tagsOnly, id, &context)
    }

    private mutating func send(
        _ text: [UInt8], _ line: RequestLine, _ kind: TextKind, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let targets = (line.text("target") ?? []).split(separator: 0x2C).map(Array.init)
        for (index, target) in targets.enumerated() {
            guard index < IRCRules.targetsMax else {
                if kind != .notice {
                    replies.send(
                        "tooManyTargets", to: id, &context,
                        ["target": .text(target)], text: "Too many targets")
                }
                return
            }
            say(text, kind, tags(for: line, id), to: target, id, &context)
        }
    }

    private func say(
        _ text: [UInt8], _ kind: TextKind, _ tags: [UInt8], to target: [UInt8], _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let start = context.effects.count
        do throws(Refusal) {
            if rules.isChannel(target) {
                guard let room = rules.channel(target) else { throw Refusal.noSuchChat }
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
            replies.refuse(Refusal(cause, ""), about: target, id, &context)
        }
    }

    /// Echoes a message to its sender if the sender has enabled `echo-message`.
    ///
    /// - Parameter start: Number of effects before the message was sent.
    private func echo(
        since start: Int, to target: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        guard clients.has(.echoMessage, id) else { return }
        for effect in context.effects[start...] {
            guard case .broadcast(_, _, let notice) = effect, notice.isMessage else { continue }
            var line: [UInt8] = []
            do {
                try notices.encodeMessage(notice, to: id, shown: target, context.service, &line)
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
        replies.send(
            "isAway", to: id, &context,
            ["nickname": .text(session.nickname.bytes), "text": .text(away)])
    }

    /// Returns the tags for a client's message: its ID, and the client-only tags as sent. The
    /// result is empty if no client receives tags.
    private mutating func tags(for line: RequestLine, _ id: ClientID) -> [UInt8] {
        count += 1
        guard clients.hasForms else { return [] }
        var result = Array("msgid=m\(count)".utf8)
        guard line.tags != nil, clients.has(.messageTags, id) else { return result }
        IRCClientTags(line, replies.encoder.dialect, replies.faults).appendRelayed(to: &result)
        return result
    }
}
