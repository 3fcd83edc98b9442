/// Policy for reconnecting after a session has ended without a logout.
public struct ReconnectPolicy: Sendable, Hashable {
    /// Maximum number of attempts in a row; 0 to never reconnect.
    public var attemptsMax: Int
    /// Delay before the first attempt, in nanoseconds.
    public var delayFirst: Int64
    /// Maximum delay, in nanoseconds. Until it is reached, the delay doubles with each attempt.
    public var delayMax: Int64

    /// Creates a policy. Negative values count as 0, and `delayMax` is raised to `delayFirst` if it
    /// is less.
    ///
    /// - Parameters:
    ///   - attemptsMax: maximum number of attempts in a row; 0 to never reconnect.
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

    /// Returns the delay before an attempt, counted from 1. It is chosen at random between half the
    /// nominal delay and the full delay, so that a server's clients do not all reconnect at the
    /// same time.
    func delay(_ attempt: Int, _ random: inout some RandomNumberGenerator) -> Int64 {
        var delay = delayFirst
        for _ in 1..<max(1, attempt) where delay < delayMax {
            delay = delay > delayMax / 2 ? delayMax : delay * 2
        }
        return delay - Int64.random(in: 0...max(0, delay / 2), using: &random)
    }
}
