/// A log of the most recent messages of a chat.
///
/// - Messages are sorted by time and, for equal times, by order of arrival.
/// - A message is rejected as a duplicate if its id is already present.
/// - The log keeps at most ``messagesMax`` messages; inserting another one drops the oldest. A
///   message older than the newest dropped message is rejected as too old, so that dropped messages
///   do not come back. Several dropped messages may share that newest time; the log remembers the
///   ids of the last ``messagesMax`` of them to recognise these too.
///
/// Finding a message by index or id takes logarithmic time. Inserting a message takes constant time
/// if it arrives in order; otherwise it also moves the messages of at most one ``MessageList``
/// block.
public struct MessageLog<Message: LoggedMessage>: Sendable {
    /// Time and arrival number of a message, which together determine its position.
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

    /// Maximum number of messages kept.
    public let messagesMax: Int
    @usableFromInline var list = MessageList<Message>()
    /// Stamps of the messages in the log and of those in `dropped`.
    @usableFromInline var stamps: [Message.ID: Stamp] = [:]
    @usableFromInline var arrivalCount = 0
    /// Time of the newest dropped message. A message older than this is too old to insert.
    @usableFromInline var horizon = Int64.min
    /// Ids of the most recently dropped messages whose time is `horizon`, in a ring buffer.
    @usableFromInline var dropped: ContiguousArray<Message.ID> = []
    /// Index of the oldest id in the ring buffer, which is the next to be overwritten.
    @usableFromInline var droppedOldest = 0

    /// Creates an empty log.
    ///
    /// - Parameter messagesMax: maximum number of messages kept; with 0 or less the log stays
    ///   empty.
    @inlinable
    public init(messagesMax: Int) {
        self.messagesMax = max(0, messagesMax)
    }

    /// A snapshot of the messages, oldest first. It is cheap, because nothing is copied.
    @inlinable public var messages: MessageList<Message> { list }
    /// The number of messages.
    @inlinable public var count: Int { list.count }
    /// True if the log is empty.
    @inlinable public var isEmpty: Bool { list.isEmpty }
    /// The oldest message; nil if the log is empty.
    @inlinable public var first: Message? { list.first }
    /// The newest message; nil if the log is empty.
    @inlinable public var last: Message? { list.last }
    /// The messages, newest first.
    @inlinable public var newestFirst: ReversedCollection<MessageList<Message>> {
        list.newestFirst
    }

    /// The message at the index, counted from the oldest.
    @inlinable public subscript(index: Int) -> Message { list[index] }

    /// The message with this id; nil if there is none.
    @inlinable public subscript(id id: Message.ID) -> Message? {
        position(of: id).map { list.blocks[$0.block][$0.offset].message }
    }

    /// Returns the index of the message with this id; nil if there is none.
    @inlinable public func index(of id: Message.ID) -> Int? {
        position(of: id).map { list.index(of: $0) }
    }

    @inlinable
    func position(of id: Message.ID) -> MessageList<Message>.Position? {
        stamps[id].flatMap { list.position(of: $0.time, $0.arrival) }
    }
}

/// Result of inserting a message into a log.
public enum MessageInsertion<Message: LoggedMessage>: Sendable {
    /// The message was inserted at this index. `dropped` is the message that was removed because
    /// the log was full; nil if the log was not full.
    case inserted(at: Int, dropped: Message?)
    /// A message with the same id is already present.
    case duplicate
    /// The message is older than the oldest message of a full log, or older than a message that was
    /// dropped earlier.
    case tooOld

    /// True if the message was inserted.
    @inlinable public var isInserted: Bool {
        if case .inserted = self { true } else { false }
    }
}

extension MessageInsertion: Equatable where Message: Equatable {}
