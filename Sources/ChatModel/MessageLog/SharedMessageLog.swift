import Synchronization

/// A thread-safe message log that notifies listeners of changes.
///
/// Listeners receive the changes in order through a ``Multicast``, so a change does not wait for
/// them. Reading returns a snapshot without copying messages. All methods may be called from any
/// thread.
public final class SharedMessageLog<Message: LoggedMessage>: Sendable {
    private let log: Mutex<MessageLog<Message>>
    private let changes: Multicast<MessageLogChanges<Message>>

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - messagesMax: maximum number of messages kept.
    ///   - report: called when a listener is too slow; it may be called on any thread.
    public init(
        messagesMax: Int, reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        log = Mutex(MessageLog(messagesMax: messagesMax))
        changes = Multicast(reportingTo: report)
    }

    /// A snapshot of the messages, oldest first.
    public var messages: MessageList<Message> { log.withLock { $0.messages } }
    /// The current number of messages.
    public var count: Int { log.withLock { $0.count } }
    /// The oldest message; nil if the log is empty.
    public var first: Message? { log.withLock { $0.first } }
    /// The newest message; nil if the log is empty.
    public var last: Message? { log.withLock { $0.last } }

    /// The message at an index, where 0 is the oldest; nil if the index is out of range.
    public subscript(index: Int) -> Message? {
        log.withLock { log in
            log.messages.indices.contains(index) ? log[index] : nil
        }
    }

    /// The message with this id; nil if there is none.
    public subscript(id id: Message.ID) -> Message? { log.withLock { $0[id: id] } }

    /// Adds a listener.
    ///
    /// - Returns: the listener's id, and the current messages. The listener receives every later
    ///   change.
    /// - Throws: ``MulticastError`` if there are too many listeners.
    public func add(
        _ listener: Listener<MessageLogChanges<Message>>
    ) throws(MulticastError) -> (id: ListenerID, messages: MessageList<Message>) {
        let (added, messages) = log.withLock { log in
            (Result { () throws(MulticastError) in try changes.add(listener) }, log.messages)
        }
        return (try added.get(), messages)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does. Returns false if there is no such
    /// listener.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { changes.remove(listener) }

    /// Inserts a message in time order.
    ///
    /// - Returns: the message's index and the message dropped to make room for it, or the reason it
    ///   was not inserted.
    @discardableResult
    public func insert(_ message: Message) -> MessageInsertion<Message> {
        change { log in
            let result = log.insert(message)
            return (result, MessageLogChanges(result, of: message))
        }
    }

    /// Inserts messages in time order and notifies the listeners once.
    @discardableResult
    public func insert(contentsOf new: some Sequence<Message>) -> MessageBatch<Message> {
        let new = Array(new)
        return change { log in
            let batch = log.insert(contentsOf: new)
            return (batch, batch.changes)
        }
    }

    /// Removes a message and returns it; nil if there is none with this id.
    @discardableResult
    public func remove(id: Message.ID) -> Message? {
        change { log in
            let changes = log.removing(id: id)
            return (changes.removals.first?.message, changes)
        }
    }

    /// Replaces the message with the same id. Returns the replaced message; nil if there was none,
    /// in which case nothing changes.
    @discardableResult
    public func replace(_ message: Message) -> Message? {
        change { log in
            let changes = log.replacing(message)
            return (changes.removals.first?.message, changes)
        }
    }

    /// Removes all messages.
    public func removeAll() {
        change { log in
            var changes = MessageLogChanges<Message>()
            changes.removals = log.messages.enumerated().map { .init(index: $0, message: $1) }
            log.removeAll()
            return ((), changes)
        }
    }

    /// Applies a change and notifies the listeners. Events are queued under the lock, which keeps
    /// them in order; the listeners are scheduled after the lock has been released.
    private func change<Result: Sendable>(
        _ body: (inout MessageLog<Message>) -> (Result, MessageLogChanges<Message>)
    ) -> Result {
        let (result, followUp) = log.withLock { log in
            let (result, changed) = body(&log)
            return (result, changed.isEmpty ? nil : changes.post(changed))
        }
        followUp?.run()
        return result
    }

    /// Inserts a message for a caller that holds a lock. After releasing its lock, the caller must
    /// run the returned follow-up.
    func post(
        _ message: Message
    ) -> (
        result: MessageInsertion<Message>, followUp: MulticastFollowUp<MessageLogChanges<Message>>
    ) {
        log.withLock { log in
            let result = log.insert(message)
            let changed = MessageLogChanges(result, of: message)
            return (result, changed.isEmpty ? MulticastFollowUp() : changes.post(changed))
        }
    }

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
    /// The changes made by one insertion.
    fileprivate init(_ insertion: MessageInsertion<Message>, of message: Message) {
        guard case .inserted(let index, let dropped) = insertion else { return }
        insertions = [Change(index: index, message: message)]
        if let dropped { removals = [Change(index: 0, message: dropped)] }
    }
}
