import ChatModel

/// The last records of a chat: the log that clients keep their messages in. A service's clock does not go back, so
/// that records stand as they came.
package struct ChatHistory: Sendable {
    private var log: MessageLog<ChatRecord>

    package init(recordsMax: Int) {
        log = MessageLog(messagesMax: recordsMax)
    }

    package var count: Int { log.count }

    package mutating func append(_ record: ChatRecord) {
        log.insert(record)
    }

    /// At most `count` records of a time on, newest first; those that visitors do not see only if
    /// `withHidden`.
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
