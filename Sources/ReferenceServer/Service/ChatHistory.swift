import ChatModel

/// The most recent records of a chat, stored in the same type of log that clients use. The
/// service's clock never goes backwards, so records stay in order of arrival.
package struct ChatHistory: Sendable {
    private var log: MessageLog<ChatRecord>

    package init(recordsMax: Int) {
        log = MessageLog(messagesMax: recordsMax)
    }

    package var count: Int { log.count }

    package mutating func append(_ record: ChatRecord) {
        log.insert(record)
    }

    /// Returns up to `count` records that are not older than `time`, newest first. Hidden records
    /// are included only if `withHidden` is true.
    package func newestFirst(
        _ count: Int, since time: Int64 = .min, withHidden: Bool
    ) -> [ChatRecord] {
        let shown = log.newestFirst.lazy.prefix { $0.time >= time }
        return Array(shown.filter { withHidden || !$0.isHidden }.prefix(max(0, count)))
    }
}

extension ChatRecord: LoggedMessage {
    package var id: Int64 { identifier }
}
