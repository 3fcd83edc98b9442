/// How many events may wait for a listener, and what becomes of those that find no room.
public struct ListenerQueue: Sendable, Hashable {
    /// What happens to an event for which there is no room. Each is reported, none is silent.
    public enum Overflow: String, Sendable, Hashable, CaseIterable {
        /// The event that has waited longest makes room: for listeners that want to be up to date.
        case dropsOldest
        /// The new event is left out: for listeners that want to know how it began.
        case dropsNewest
        /// The listener is removed: for listeners that are of no use with a gap.
        case removesListener
    }

    /// How many events may wait, one at least.
    public let eventsMax: Int
    /// What happens to the next one.
    public let overflow: Overflow

    /// How many events may wait where nothing else is said.
    public static let eventsMaxByDefault = 1_024

    /// A queue of its size, with what happens when it is full.
    public init(eventsMax: Int = eventsMaxByDefault, overflow: Overflow = .dropsOldest) {
        self.eventsMax = max(1, eventsMax)
        self.overflow = overflow
    }
}
