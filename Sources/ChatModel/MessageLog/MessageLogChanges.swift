/// Changes to a log that must be applied together.
///
/// To apply them, first remove the messages in ``removals`` from last to first, then insert those
/// in ``insertions`` from first to last. To update a copy of the messages in a collection, pass
/// ``difference`` to the collection's `applying(_:)`.
public struct MessageLogChanges<Message: LoggedMessage>: Sendable {
    /// A change to the log: a message and its index.
    public struct Change: Sendable {
        /// The index of the message, before the changes for a removal and after them for an
        /// insertion.
        public var index: Int
        /// The removed or inserted message.
        public var message: Message
    }

    /// The removed messages. Their indices refer to the log before the changes.
    public internal(set) var removals: [Change] = []
    /// The inserted messages. Their indices refer to the log after the changes.
    public internal(set) var insertions: [Change] = []

    /// True if there are no changes.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty }

    /// The changes as a standard library `CollectionDifference`.
    public var difference: CollectionDifference<Message> {
        let changes =
            removals.map {
                CollectionDifference<Message>.Change.remove(
                    offset: $0.index, element: $0.message, associatedWith: nil)
            }
            + insertions.map {
                .insert(offset: $0.index, element: $0.message, associatedWith: nil)
            }
        // The only invalid input is a repeated index, which cannot occur because indices increase
        // within each array.
        return CollectionDifference(changes) ?? Self.none
    }

    private static var none: CollectionDifference<Message> {
        [Message]().difference(from: [Message]()) { _, _ in true }
    }
}

extension MessageLogChanges.Change: Equatable where Message: Equatable {}
extension MessageLogChanges: Equatable where Message: Equatable {}

/// Result of inserting several messages.
public struct MessageBatch<Message: LoggedMessage>: Sendable {
    /// The changes. A message that the batch both inserted and dropped is not included.
    public internal(set) var changes = MessageLogChanges<Message>()
    /// Number of duplicates, which were not inserted.
    public internal(set) var duplicateCount = 0
    /// Number of messages too old to be inserted.
    public internal(set) var tooOldCount = 0
}

extension MessageLog {
    /// Inserts messages in time order and returns all changes together.
    @discardableResult
    public mutating func insert(contentsOf new: some Sequence<Message>) -> MessageBatch<Message> {
        var batch = MessageBatch<Message>()
        let before = messages
        var insertedIDs: [Message.ID] = []
        for message in new {
            switch insert(message) {
            case .inserted: insertedIDs.append(message.id)
            case .duplicate: batch.duplicateCount += 1
            case .tooOld: batch.tooOldCount += 1
            }
        }
        batch.changes.removals = removals(from: before)
        batch.changes.insertions = insertedIDs.compactMap { id in
            index(of: id).map { .init(index: $0, message: messages[$0]) }
        }.sorted { $0.index < $1.index }
        return batch
    }

    /// Returns the entries of `before` that are no longer in the log. Only the oldest messages are
    /// dropped, so the removed entries are always at the start. Compares entries rather than ids,
    /// because a dropped id may come back with a different time.
    private func removals(
        from before: MessageList<Message>
    ) -> [MessageLogChanges<Message>.Change] {
        var result: [MessageLogChanges<Message>.Change] = []
        for entry in before.blocks.joined() {
            guard list.position(of: entry.message.time, entry.arrival) == nil else { break }
            result.append(.init(index: result.count, message: entry.message))
        }
        return result
    }

    /// Removes a message and returns the change, which is empty if there is no message with this
    /// id.
    public mutating func removing(id: Message.ID) -> MessageLogChanges<Message> {
        var changes = MessageLogChanges<Message>()
        guard let index = index(of: id), let message = remove(id: id) else { return changes }
        changes.removals = [.init(index: index, message: message)]
        return changes
    }

    /// Replaces the message with the same id and returns the change, which is empty if there is no
    /// such message.
    public mutating func replacing(_ message: Message) -> MessageLogChanges<Message> {
        var changes = MessageLogChanges<Message>()
        guard let index = index(of: message.id), let old = replace(message),
            let newIndex = self.index(of: message.id)
        else { return changes }
        changes.removals = [.init(index: index, message: old)]
        changes.insertions = [.init(index: newIndex, message: message)]
        return changes
    }
}
