/// Size and overflow policy of a listener's queue of undelivered events.
public struct ListenerQueue: Sendable, Hashable {
    /// Policy for events that arrive when the queue is full. Every loss is reported.
    public enum Overflow: String, Sendable, Hashable, CaseIterable {
        /// Drop the oldest event, for listeners that need to be up to date.
        case dropsOldest
        /// Drop the new event, for listeners that need the first events.
        case dropsNewest
        /// Remove the listener, for listeners that cannot tolerate a gap.
        case removesListener
    }

    /// Maximum number of undelivered events; at least 1.
    public let eventsMax: Int
    /// The overflow policy.
    public let overflow: Overflow

    /// Default maximum number of undelivered events.
    public static let eventsMaxByDefault = 1_024

    /// Creates a queue configuration.
    ///
    /// - Parameters:
    ///   - eventsMax: maximum number of undelivered events; values below 1 count as 1.
    ///   - overflow: what happens when the queue is full.
    public init(eventsMax: Int = eventsMaxByDefault, overflow: Overflow = .dropsOldest) {
        self.eventsMax = max(1, eventsMax)
        self.overflow = overflow
    }
}
