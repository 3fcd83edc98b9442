/// Messages by time, those of one time as they arrived: the order of a ``MessageLog``, and what one takes from
/// it to read at leisure.
///
/// The messages stand in blocks of a bounded size. To insert one anywhere moves no more than a block, and a
/// copy shares its blocks with the log that goes on: the log copies one block when it changes it, not all.
public struct MessageList<Message: LoggedMessage>: Sendable {
    /// A message with its place among those that arrived.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var arrival: Int
        @usableFromInline var message: Message

        @inlinable
        init(arrival: Int, message: Message) {
            self.arrival = arrival
            self.message = message
        }

        /// Whether it stands behind a message of that time and arrival.
        @inlinable
        func isAfter(_ time: Int64, _ arrival: Int) -> Bool {
            let own = message.time
            return own > time || (own == time && self.arrival > arrival)
        }
    }

    /// Where an entry stands.
    @usableFromInline
    struct Place: Sendable {
        @usableFromInline var block: Int
        @usableFromInline var offset: Int

        @inlinable
        init(block: Int, offset: Int) {
            self.block = block
            self.offset = offset
        }
    }

    /// How many messages a block holds before it is divided.
    @inlinable static var blockMessagesMax: Int { 128 }

    /// None of them is empty.
    @usableFromInline var blocks: ContiguousArray<ContiguousArray<Entry>> = []
    /// The number of the first entry of each block, where the list's first has the number `starts[0]`: so
    /// that nothing is renumbered when the first is removed.
    @usableFromInline var starts: ContiguousArray<Int> = []
    @usableFromInline var messageCount = 0

    @inlinable
    init() {}
}
