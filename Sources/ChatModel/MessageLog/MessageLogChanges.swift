/// What changed in a log in one go.
///
/// Take out what ``removals`` says, from the last to the first, then put in what ``insertions`` says, from the
/// first to the last: so does a view that shows the log, and so does `applying` with ``difference``.
public struct MessageLogChanges<Message: LoggedMessage>: Sendable {
    /// A message with its index.
    public struct Change: Sendable {
        /// Its index.
        public var index: Int
        /// The message.
        public var message: Message
    }

    /// What is gone, by rising index in the log before the change.
    public internal(set) var removals: [Change] = []
    /// What is new, by rising index in the log after the change.
    public internal(set) var insertions: [Change] = []

    /// Whether nothing changed.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty }

    /// The same in the form of the standard library.
    public var difference: CollectionDifference<Message> {
        let changes =
            removals.map {
                CollectionDifference<Message>.Change.remove(
                    offset: $0.index, element: $0.message, associatedWith: nil)
            }
            + insertions.map {
                .insert(offset: $0.index, element: $0.message, associatedWith: nil)
            }
        // Indices are rising in each array, so that none stands twice: the only thing that is refused.
        return CollectionDifference(changes) ?? Self.none
    }

    private static var none: CollectionDifference<Message> {
        [Message]().difference(from: [Message]()) { _, _ in true }
    }
}

extension MessageLogChanges.Change: Equatable where Message: Equatable {}
extension MessageLogChanges: Equatable where Message: Equatable {}

/// What became of messages that were given to a log together.
public struct MessageBatch<Message: LoggedMessage>: Sendable {
    /// What changed. What was inserted and dropped again by the same batch is not in it.
    public internal(set) var changes = MessageLogChanges<Message>()
    /// How many were duplicates.
    public internal(set) var duplicateCount = 0
    /// How many came too late.
    public internal(set) var tooOldCount = 0
}

extension MessageLog {
    /// Puts messages where their times say, and tells all changes together.
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

    /// What is gone is what stood first: only the oldest are dropped. Entries are compared, because an id may
    /// come again with another time after it was dropped.
    private func removals(
        from before: MessageList<Message>
    ) -> [MessageLogChanges<Message>.Change] {
        var result: [MessageLogChanges<Message>.Change] = []
        for entry in before.blocks.joined() {
            guard list.place(of: entry.message.time, entry.arrival) == nil else { break }
            result.append(.init(index: result.count, message: entry.message))
        }
        return result
    }

    /// Takes a message out and tells the change.
    public mutating func removing(id: Message.ID) -> MessageLogChanges<Message> {
        var changes = MessageLogChanges<Message>()
        guard let index = index(of: id), let message = remove(id: id) else { return changes }
        changes.removals = [.init(index: index, message: message)]
        return changes
    }

    /// Puts a message in the place of the one of its id and tells the change.
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
