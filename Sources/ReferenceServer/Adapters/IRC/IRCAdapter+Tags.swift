import ChatModel
import LineProtocol

extension IRCAdapter {
    /// Maximum length of a label, in bytes (IRCv3 labeled-response).
    private static let labelBytesMax = 64

    /// Returns a line's tags with their keys, still escaped. Of repeated keys, the last one wins.
    private func tags(of line: RequestLine) -> [(key: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)]
    {
        let tagSyntax = encoder.dialect.syntax.fromClient.tags
        guard let tags = line.tags, let syntax = tagSyntax else { return [] }
        var result: [(key: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)] = []
        for tag in tags.split(separator: syntax.separator) {
            let key = tag.prefix { $0 != syntax.assignment }
            if !result.contains(where: { $0.key == key })
                || !faults.shouldInject(.duplicateTagsRelayed)
            {
                result.removeAll { $0.key == key }
            }
            result.append((key, tag))
        }
        return result
    }

    /// Returns the escaped label; nil if it is missing or invalid, or if labels are not enabled.
    func label(of line: RequestLine, _ id: ClientID) -> [UInt8]? {
        guard line.tags != nil, has(.labeledResponse, id), has(.batch, id),
            let label = tags(of: line).first(where: { $0.key.elementsEqual("label".utf8) })
        else { return nil }
        let value = label.whole.dropFirst(label.key.count + 1)
        return (1...Self.labelBytesMax).contains(value.count) ? Array(value) : nil
    }

    /// Returns the tags for a client's message: its ID, and the client-only tags as sent. The
    /// result is empty if no client receives tags.
    func messageTags(of line: RequestLine, _ id: ClientID) -> [UInt8] {
        messageCount += 1
        guard hasForms else { return [] }
        var result = Array("msgid=m\(messageCount)".utf8)
        guard line.tags != nil, has(.messageTags, id) else { return result }
        for tag in tags(of: line) where isRelayed(tag.key) {
            result.append(0x3B)
            result.append(contentsOf: relayed(tag.whole))
        }
        return result
    }

    /// Returns whether a tag from a client is relayed.
    private func isRelayed(_ key: ArraySlice<UInt8>) -> Bool {
        if key.first == 0x2B { return true }
        return !key.elementsEqual("label".utf8) && faults.shouldInject(.serverTagsRelayed)
    }

    private func relayed(_ tag: ArraySlice<UInt8>) -> [UInt8] {
        guard tag.contains(ASCII.backslash), faults.shouldInject(.tagEscapesLost) else {
            return Array(tag)
        }
        return tag.filter { $0 != ASCII.backslash }
    }

    /// Adds the tags that a recipient has requested to the line that reports a user's action.
    ///
    /// - Parameter tags: Tags of the message itself.
    func addTags(
        to line: inout [UInt8], at start: Int, from person: ChatUser, _ tags: [UInt8],
        for id: ClientID, at time: Int64?, _ service: borrowing ChatService
    ) {
        guard line.count > start else { return }
        let isTagged = form(of: id) == 0 && faults.shouldInject(.unrequestedTags)
        guard form(of: id) != 0 || isTagged else { return }
        var head: [UInt8] = []
        func add(_ tag: [UInt8]) {
            head.append(head.isEmpty ? 0x40 : 0x3B)
            head.append(contentsOf: tag)
        }
        if has(.serverTime, id) || isTagged { add(Array("time=".utf8) + serverTime(time, service)) }
        if has(.accountTag, id), let account = account(of: person, service) {
            add(Array("account=".utf8) + account)
        }
        if has(.messageTags, id) {
            if !tags.isEmpty { add(tags) }
            if isBot(person, service) { add(Array("bot".utf8)) }
        }
        guard !head.isEmpty else { return }
        head.append(ASCII.space)
        line.insert(contentsOf: head, at: start)
    }

    private func serverTime(_ time: Int64?, _ service: borrowing ChatService) -> [UInt8] {
        let time = time ?? service.now + service.rules.wallClockOffset
        return ValueConversion.bytes(.time(time / 1_000_000 * 1_000_000), .time(.rfc3339)) ?? []
    }

    private func isBot(_ person: ChatUser, _ service: borrowing ChatService) -> Bool {
        service.holder(of: person.nickname).flatMap { slots[$0]?.isBot } == true
    }

    /// Returns the account that a user is logged in to; nil if there is none.
    func account(of person: ChatUser, _ service: borrowing ChatService) -> [UInt8]? {
        service.holder(of: person.nickname).flatMap { slots[$0]?.account }
    }

    /// Adds a tag to an encoded line, before its other tags.
    func add(_ tag: [UInt8], to line: [UInt8]) -> [UInt8] {
        let isTagged = line.first == 0x40
        let head = [0x40] + tag + [isTagged ? 0x3B : ASCII.space]
        return head + (isTagged ? line[1...] : line[...])
    }
}
