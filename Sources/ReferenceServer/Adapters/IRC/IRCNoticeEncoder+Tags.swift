import ChatModel
import LineProtocol

/// Message tags of notices.
extension IRCNoticeEncoder {
    /// Adds the tags that a recipient has requested to the line that reports a user's action.
    ///
    /// - Parameter tags: Tags of the message itself.
    func addTags(
        to line: inout [UInt8], at start: Int, from person: ChatUser, _ tags: [UInt8],
        for id: ClientID, at time: Int64?, _ service: borrowing ChatService
    ) {
        guard line.count > start else { return }
        let isTagged = clients.form(of: id) == 0 && replies.faults.shouldInject(.unrequestedTags)
        guard clients.form(of: id) != 0 || isTagged else { return }
        var head: [UInt8] = []
        func add(_ tag: [UInt8]) {
            head.append(head.isEmpty ? 0x40 : 0x3B)
            head.append(contentsOf: tag)
        }
        if clients.has(.serverTime, id) || isTagged {
            add(Array("time=".utf8) + serverTime(time, service))
        }
        if clients.has(.accountTag, id), let account = clients.account(of: person, service) {
            add(Array("account=".utf8) + account)
        }
        if clients.has(.messageTags, id) {
            if !tags.isEmpty { add(tags) }
            if clients.isBot(person, service) { add(Array("bot".utf8)) }
        }
        guard !head.isEmpty else { return }
        head.append(ASCII.space)
        line.insert(contentsOf: head, at: start)
    }

    private func serverTime(_ time: Int64?, _ service: borrowing ChatService) -> [UInt8] {
        let time = time ?? service.now + service.rules.wallClockOffset
        return ValueConversion.bytes(.time(time / 1_000_000 * 1_000_000), .time(.rfc3339)) ?? []
    }
}
