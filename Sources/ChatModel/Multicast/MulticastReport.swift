/// What the owner of a multicast is told about its listeners.
public enum MulticastReport: Sendable, Hashable, CustomStringConvertible {
    /// The listener's queue is full, and events are lost from now on.
    case overflowBegan(listener: String, ListenerQueue)
    /// The listener goes on after a gap of so many events.
    case overflowEnded(listener: String, missed: Int)
    /// The listener was removed because its queue was full; so many events waited and were not told.
    case removedForOverflow(listener: String, ListenerQueue)
    /// The listener was not asked, because it still had so many questions before it.
    case tooManyQuestions(listener: String, questionsMax: Int)

    /// What happened, for a log.
    public var description: String {
        switch self {
        case .overflowBegan(let listener, let queue):
            "\(listener): \(queue.eventsMax) events wait, \(queue.overflow.loss)"
        case .overflowEnded(let listener, let missed):
            "\(listener): missed \(missed) \(missed == 1 ? "event" : "events")"
        case .removedForOverflow(let listener, let queue):
            "\(listener): \(queue.eventsMax) events wait, the listener is removed"
        case .tooManyQuestions(let listener, let questionsMax):
            "\(listener): \(questionsMax) questions wait, it is asked no more"
        }
    }
}

extension ListenerQueue.Overflow {
    fileprivate var loss: String {
        switch self {
        case .dropsOldest: "the oldest are dropped"
        case .dropsNewest: "new ones are dropped"
        case .removesListener: "the listener is removed"
        }
    }
}
