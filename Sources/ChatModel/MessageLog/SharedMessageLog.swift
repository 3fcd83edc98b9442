import Synchronization

/// A message log that many tasks use at once and that tells its changes.
///
/// Changes are told in the order in which they were made, by a ``Multicast``: who changes the log does not wait
/// for those who hear of it. What is read is a copy that costs next to nothing and does not change any more.
public final class SharedMessageLog<Message: LoggedMessage>: Sendable {
    private let log: Mutex<MessageLog<Message>>
    private let changes: Multicast<MessageLogChanges<Message>>

    /// An empty log.
    ///
    /// - Parameters:
    ///   - messagesMax: how many messages there are at most.
    ///   - report: hears of listeners that are too slow.
    public init(
        messagesMax: Int, reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        log = Mutex(MessageLog(messagesMax: messagesMax))
        changes = Multicast(reportingTo: report)
    }

    /// The messages as they are now, oldest first.
    public var messages: MessageList<Message> { log.withLock { $0.messages } }
    /// How many there are now.
    public var count: Int { log.withLock { $0.count } }
    /// The oldest message.
    public var first: Message? { log.withLock { $0.first } }
    /// The newest message.
    public var last: Message? { log.withLock { $0.last } }

    /// The message at an index, which counts from the oldest; nil if there are not so many now.
    public subscript(index: Int) -> Message? {
        log.withLock { log in
            log.messages.indices.contains(index) ? log[index] : nil
        }
    }

    /// The message of that id.
    public subscript(id id: Message.ID) -> Message? { log.withLock { $0[id: id] } }

    /// Adds one who is told of all changes to what is returned, and of nothing before.
    public func add(
        _ listener: Listener<MessageLogChanges<Message>>
    ) throws(MulticastError) -> (id: ListenerID, messages: MessageList<Message>) {
        let (added, messages) = log.withLock { log in
            (Result { () throws(MulticastError) in try changes.add(listener) }, log.messages)
        }
        return (try added.get(), messages)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { changes.remove(listener) }

    /// Puts a message where its time says.
    @discardableResult
    public func insert(_ message: Message) -> MessageInsertion<Message> {
        change { log in
            let result = log.insert(message)
            return (result, MessageLogChanges(result, of: message))
        }
    }

    /// Puts messages where their times say, and tells all changes together.
    @discardableResult
    public func insert(contentsOf new: some Sequence<Message>) -> MessageBatch<Message> {
        let new = Array(new)
        return change { log in
            let batch = log.insert(contentsOf: new)
            return (batch, batch.changes)
        }
    }

    /// Takes a message out.
    @discardableResult
    public func remove(id: Message.ID) -> Message? {
        change { log in
            let changes = log.removing(id: id)
            return (changes.removals.first?.message, changes)
        }
    }

    /// Puts a message in the place of the one of its id; returns that one, nil if there is none.
    @discardableResult
    public func replace(_ message: Message) -> Message? {
        change { log in
            let changes = log.replacing(message)
            return (changes.removals.first?.message, changes)
        }
    }

    /// Takes everything out.
    public func removeAll() {
        change { log in
            var changes = MessageLogChanges<Message>()
            changes.removals = log.messages.enumerated().map { .init(index: $0, message: $1) }
            log.removeAll()
            return ((), changes)
        }
    }

    /// Tells changes in the order in which they are made: they find their places while the log is locked,
    /// and executors are asked for turns when it no longer is.
    private func change<Result: Sendable>(
        _ body: (inout MessageLog<Message>) -> (Result, MessageLogChanges<Message>)
    ) -> Result {
        let (result, posting) = log.withLock { log in
            let (result, changed) = body(&log)
            return (result, changed.isEmpty ? nil : changes.post(changed))
        }
        posting?.follow()
        return result
    }

    /// Puts a message where its time says, for callers that hold a lock: they follow the posting when they
    /// have given it up.
    func post(
        _ message: Message
    ) -> (
        result: MessageInsertion<Message>, posting: MulticastPosting<MessageLogChanges<Message>>
    ) {
        log.withLock { log in
            let result = log.insert(message)
            let changed = MessageLogChanges(result, of: message)
            return (result, changed.isEmpty ? MulticastPosting() : changes.post(changed))
        }
    }

    /// Takes out what is before a time.
    func removeAll(before time: Int64) {
        change { log in
            var changes = MessageLogChanges<Message>()
            let old = log.messages.prefix(log.messages.index(notBefore: time))
            changes.removals = old.enumerated().map { .init(index: $0, message: $1) }
            for message in old { log.remove(id: message.id) }
            return ((), changes)
        }
    }
}

extension MessageLogChanges {
    /// What one insertion changed.
    fileprivate init(_ insertion: MessageInsertion<Message>, of message: Message) {
        guard case .inserted(let index, let dropped) = insertion else { return }
        insertions = [Change(index: index, message: message)]
        if let dropped { removals = [Change(index: 0, message: dropped)] }
    }
}
