/// The last messages of a chat.
///
/// - They stand by their time, and those of one time as they arrived.
/// - A message whose id is there already is dropped as a duplicate.
/// - There are no more than ``messagesMax``: one more drops the oldest. What is older than something that was
///   dropped comes too late, so that nothing that has gone comes back. Of those that were dropped and have
///   one time, the ids of the last ``messagesMax`` are remembered.
///
/// Finding a message by index or id takes logarithmic time, inserting one in order constant time, and out of
/// order it moves no more than a block of ``MessageList``.
public struct MessageLog<Message: LoggedMessage>: Sendable {
    /// What identifies a message's place: its time and when it arrived.
    @usableFromInline
    struct Stamp: Sendable {
        @usableFromInline var time: Int64
        @usableFromInline var arrival: Int

        @inlinable
        init(time: Int64, arrival: Int) {
            self.time = time
            self.arrival = arrival
        }
    }

    /// How many messages there are at most.
    public let messagesMax: Int
    @usableFromInline var list = MessageList<Message>()
    /// Of the messages that are there, and of those in `dropped`.
    @usableFromInline var stamps: [Message.ID: Stamp] = [:]
    @usableFromInline var arrivalCount = 0
    /// The time of the newest message that was dropped: what is older comes too late.
    @usableFromInline var horizon = Int64.min
    /// Those of the horizon's time that were dropped last, as many as are remembered, in a ring.
    @usableFromInline var dropped: ContiguousArray<Message.ID> = []
    /// Where the one stands that is forgotten next, when the ring is full.
    @usableFromInline var droppedOldest = 0

    /// An empty log. One of no messages keeps nothing.
    @inlinable
    public init(messagesMax: Int) {
        self.messagesMax = max(0, messagesMax)
    }

    /// The messages, oldest first: a copy that costs next to nothing and does not change.
    @inlinable public var messages: MessageList<Message> { list }
    /// How many messages there are.
    @inlinable public var count: Int { list.count }
    /// Whether there are none.
    @inlinable public var isEmpty: Bool { list.isEmpty }
    /// The oldest message.
    @inlinable public var first: Message? { list.first }
    /// The newest message.
    @inlinable public var last: Message? { list.last }
    /// The messages, newest first.
    @inlinable public var newestFirst: ReversedCollection<MessageList<Message>> {
        list.newestFirst
    }

    /// The message at an index, which counts from the oldest.
    @inlinable public subscript(index: Int) -> Message { list[index] }

    /// The message of that id.
    @inlinable public subscript(id id: Message.ID) -> Message? {
        place(of: id).map { list.blocks[$0.block][$0.offset].message }
    }

    /// The index of the message of that id.
    @inlinable public func index(of id: Message.ID) -> Int? {
        place(of: id).map { list.index(of: $0) }
    }

    @inlinable
    func place(of id: Message.ID) -> MessageList<Message>.Place? {
        stamps[id].flatMap { list.place(of: $0.time, $0.arrival) }
    }
}

/// What became of a message that was given to a log.
public enum MessageInsertion<Message: LoggedMessage>: Sendable {
    /// It stands at the index; the oldest was dropped for it, if the log was full.
    case inserted(at: Int, dropped: Message?)
    /// There is one of its id.
    case duplicate
    /// It is older than what the log has room for, or than what it has dropped.
    case tooOld

    /// Whether it is in the log now.
    @inlinable public var isInserted: Bool {
        if case .inserted = self { true } else { false }
    }
}

extension MessageInsertion: Equatable where Message: Equatable {}
