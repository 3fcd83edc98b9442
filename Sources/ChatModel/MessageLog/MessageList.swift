/// Messages sorted by time and, for equal times, by order of arrival. It holds the contents of a
/// ``MessageLog`` and also serves as a snapshot of them.
///
/// Messages are stored in blocks of limited size. An insertion moves the messages of at most one
/// block. A copy shares its blocks with the log, which copies only the blocks that it changes.
public struct MessageList<Message: LoggedMessage>: Sendable {
    /// A message with its arrival number.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var arrival: Int
        @usableFromInline var message: Message

        @inlinable
        init(arrival: Int, message: Message) {
            self.arrival = arrival
            self.message = message
        }

        /// Returns whether the entry sorts after a message with the given time and arrival.
        @inlinable
        func isAfter(_ time: Int64, _ arrival: Int) -> Bool {
            let own = message.time
            return own > time || (own == time && self.arrival > arrival)
        }
    }

    /// Position of an entry: its block and its offset in that block.
    @usableFromInline
    struct Position: Sendable {
        @usableFromInline var block: Int
        @usableFromInline var offset: Int

        @inlinable
        init(block: Int, offset: Int) {
            self.block = block
            self.offset = offset
        }
    }

    /// Maximum number of messages in a block before it is split.
    @inlinable static var blockMessagesMax: Int { 128 }

    /// Never contains an empty block.
    @usableFromInline var blocks: ContiguousArray<ContiguousArray<Entry>> = []
    /// The number of the first entry of each block. Numbers count from `starts[0]`, so removing the
    /// first entry does not change any other number.
    @usableFromInline var starts: ContiguousArray<Int> = []
    @usableFromInline var messageCount = 0

    @inlinable
    init() {}
}
