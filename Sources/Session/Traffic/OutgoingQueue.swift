/// The output that a connection has queued: actions, with pauses between them.
struct OutgoingQueue {
    private var entries: [(action: SessionAction, pause: Int64)] = []
    /// Index of the next action.
    private var next = 0
    /// Time when the next action is due.
    private(set) var dueTime: Int64 = 0

    var count: Int { entries.count - next }

    var isEmpty: Bool { count == 0 }

    /// Adds an action. Its pause starts when the previous action has been taken.
    mutating func append(_ action: SessionAction, pause: Int64 = 0, at now: Int64) {
        if isEmpty { dueTime = now + pause }
        entries.append((action, pause))
    }

    /// Removes and returns the next action; nil if none is due.
    mutating func takeNext(at now: Int64) -> SessionAction? {
        guard !isEmpty, dueTime <= now else { return nil }
        let action = entries[next].action
        next += 1
        if isEmpty {
            entries.removeAll(keepingCapacity: true)
            next = 0
        } else {
            dueTime = now + entries[next].pause
        }
        return action
    }

    mutating func removeAll() { self = OutgoingQueue() }
}
