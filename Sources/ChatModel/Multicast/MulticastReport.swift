/// A report to the multicast's owner about one of its listeners.
public enum MulticastReport: Sendable, Hashable, CustomStringConvertible {
    /// The listener's queue is full; events are being lost.
    case overflowBegan(listener: String, ListenerQueue)
    /// The listener receives events again after it missed `missed` events.
    case overflowEnded(listener: String, missed: Int)
    /// The listener was removed because its queue was full. The events in its queue were not
    /// delivered.
    case removedForOverflow(listener: String, ListenerQueue)
    /// The listener was not asked because it has too many unanswered questions.
    case tooManyQuestions(listener: String, questionsMax: Int)

    /// A human-readable description for logs.
    public var description: String {
        switch self {
        case .overflowBegan(let listener, let queue):
            "\(listener): queue is full (limit \(queue.eventsMax)), \(queue.overflow.loss)"
        case .overflowEnded(let listener, let missed):
            "\(listener): missed \(missed) \(missed == 1 ? "event" : "events")"
        case .removedForOverflow(let listener, let queue):
            "\(listener): queue is full (limit \(queue.eventsMax)), listener removed"
        case .tooManyQuestions(let listener, let questionsMax):
            "\(listener): not asked because it has too many unanswered questions (limit \(questionsMax))"
        }
    }
}

extension ListenerQueue.Overflow {
    fileprivate var loss: String {
        switch self {
        case .dropsOldest: "dropping the oldest events"
        case .dropsNewest: "dropping new events"
        case .removesListener: "removing the listener"
        }
    }
}
