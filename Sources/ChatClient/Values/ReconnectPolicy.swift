/// Policy for reconnecting when a session ends without a logout.
public struct ReconnectPolicy: Sendable, Hashable {
    /// Maximum number of consecutive attempts; 0 to never reconnect.
    public var attemptsMax: Int
    /// Delay before the first attempt, in nanoseconds.
    public var delayFirst: Int64
    /// Maximum delay, in nanoseconds. Each delay is twice the previous one.
    public var delayMax: Int64

    /// Creates a policy. Negative values count as 0; `delayMax` is at least `delayFirst`.
    ///
    /// - Parameters:
    ///   - attemptsMax: maximum number of consecutive attempts; 0 to never reconnect.
    ///   - delayFirst: delay before the first attempt, in nanoseconds.
    ///   - delayMax: maximum delay, in nanoseconds.
    public init(
        attemptsMax: Int = 10, delayFirst: Int64 = 500_000_000, delayMax: Int64 = 30_000_000_000
    ) {
        self.attemptsMax = max(0, attemptsMax)
        self.delayFirst = max(0, delayFirst)
        self.delayMax = max(0, delayFirst, delayMax)
    }

    /// A policy that never reconnects.
    public static let never = ReconnectPolicy(attemptsMax: 0)

    /// Returns the delay before an attempt, counted from 1. It is chosen at random between half of
    /// the nominal delay and all of it, so that the clients of a server do not all reconnect at
    /// once.
    func delay(_ attempt: Int, _ random: inout some RandomNumberGenerator) -> Int64 {
        var delay = delayFirst
        for _ in 1..<max(1, attempt) where delay < delayMax {
            delay = delay > delayMax / 2 ? delayMax : delay * 2
        }
        return delay - Int64.random(in: 0...max(0, delay / 2), using: &random)
    }
}
