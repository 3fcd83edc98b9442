import ChatModel
import LineProtocol

/// The CHATHISTORY command (IRCv3 chathistory). Private messages are not stored, so there is no user
/// history, and TARGETS is not supported.
struct IRCHistory {
    let replies: IRCReplies
    let clients: IRCClients
    let notices: IRCNoticeEncoder
    let rules: IRCRules

    /// Maximum number of messages per answer.
    static let messagesMax = 100
    private static let messageIDPrefix = Array("msgid=".utf8)

    func send(
        _ line: RequestLine, to id: ClientID, _ context: inout RequestContext,
        _ batches: inout IRCBatches
    ) {
        guard clients.has(.chathistory, id) else {
            return replies.unknownCommand(line, id, &context)
        }
        let subcommand = (line.text("subcommand") ?? []).map(ASCII.uppercased)
        guard
            let selection = HistoryQuery.Selection(
                rawValue: String(decoding: subcommand, as: UTF8.self))
        else { return reject("INVALID_PARAMS", line, id, &context) }
        let target = line.text("target") ?? []
        guard let name = rules.channel(target), let room = context.service.room(name),
            room.members.contains(id)
        else { return reject("INVALID_TARGET", line, id, &context) }
        let messages = messages(in: room)
        do throws(HistoryQuery.Failure) {
            let query = try HistoryQuery(
                selection, line.list("parameters"), limitMax: Self.messagesMax)
            let range = try query.range(messages.map { $0.time / 1_000_000 * 1_000_000 }) {
                wanted in
                messages.firstIndex { Self.messageID($0).elementsEqual(wanted) }
            }
            send(messages[range], of: room, to: id, &context, &batches)
        } catch {
            reject(error.rawValue, line, id, &context)
        }
    }

    /// Returns the room's messages, oldest first, each with an ID.
    private func messages(in room: ChatRoom) -> [ChatRecord] {
        room.history.newestFirst(.max, withHidden: true).reversed().compactMap { record in
            guard record.kind != .tagsOnly else { return nil }
            guard record.tags.isEmpty else { return record }
            // No client received tags when the message was sent, so it was stored without an ID.
            var record = record
            record.tags =
                Self.messageIDPrefix + Array("r\(room.since)-\(record.identifier)".utf8)
            return record
        }
    }

    private static func messageID(_ record: ChatRecord) -> ArraySlice<UInt8> {
        record.tags.dropFirst(messageIDPrefix.count).prefix { $0 != ASCII.semicolon }
    }

    private func send(
        _ messages: ArraySlice<ChatRecord>, of room: ChatRoom, to id: ClientID,
        _ context: inout RequestContext, _ batches: inout IRCBatches
    ) {
        let lines = messages.compactMap { record -> [UInt8]? in
            var line: [UInt8] = []
            do {
                try notices.encodeMessage(
                    .message(record, chat: room.name), to: id, shown: nil, context.service, &line)
            } catch {
                return nil
            }
            return line
        }
        let isBatch = clients.has(.batch, id) || replies.faults.shouldInject(.unrequestedBatches)
        let answer =
            isBatch
            ? batches.batch(of: lines, type: "chathistory", [.text(room.name.bytes)]) : lines
        context.answer(id, Array(answer.joined()))
    }

    /// Refuses CHATHISTORY with a standard reply.
    func reject(
        _ code: String, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        let words = ["subcommand", "target"].compactMap { line.text($0) }.filter { !$0.isEmpty }
        let text =
            switch code {
            case "NEED_MORE_PARAMS": "Missing parameters"
            case "INVALID_TARGET": "You cannot read the history of this target"
            case HistoryQuery.Failure.noSuchMessage.rawValue: "There is no such message"
            default: "Invalid parameters"
            }
        replies.send(
            "fail", to: id, &context,
            [
                "command": .text("CHATHISTORY"), "code": .text(code),
                "context": words.isEmpty ? .absent : .list(words.map { .text($0) }),
                "description": .text(text),
            ])
    }
}
