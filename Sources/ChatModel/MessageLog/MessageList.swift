/// Messages sorted by time and, within the same time, by arrival: the content of a ``MessageLog``,
/// also usable as a snapshot of it.
///
/// Messages are stored in blocks of bounded size. An insertion moves at most one block, and a copy
/// shares its blocks with the log: the log copies only the block that it changes.
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

        /// Returns whether it sorts after a message with this time and arrival.
        @inlinable
        func isAfter(_ time: Int64, _ arrival: Int) -> Bool {
            let own = message.time
            return own > time || (own == time && self.arrival > arrival)
        }
    }

    /// The position of an entry.
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

    /// Most messages in a block before it is split.
    @inlinable static var blockMessagesMax: Int { 128 }

    /// Never contains an empty block.
    @usableFromInline var blocks: ContiguousArray<ContiguousArray<Entry>> = []
    /// The number of the first entry of each block. Numbers count from `starts[0]`, so removing the
    /// first entry renumbers nothing.
    @usableFromInline var starts: ContiguousArray<Int> = []
    @usableFromInline var messageCount = 0

    @inlinable
    init() {}
}
