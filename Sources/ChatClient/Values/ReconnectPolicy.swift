/// What a client does when a session ends that it has not logged out of.
public struct ReconnectPolicy: Sendable, Hashable {
    /// How often it tries in a row before it gives up; 0: not at all.
    public var attemptsMax: Int
    /// How long it waits before the first attempt, in nanoseconds.
    public var delayFirst: Int64
    /// How long it waits at most; each wait is twice the one before.
    public var delayMax: Int64

    /// A policy from its parts.
    public init(
        attemptsMax: Int = 10, delayFirst: Int64 = 500_000_000, delayMax: Int64 = 30_000_000_000
    ) {
        self.attemptsMax = max(0, attemptsMax)
        self.delayFirst = max(0, delayFirst)
        self.delayMax = max(0, delayFirst, delayMax)
    }

    /// A lost connection stays lost.
    public static let never = ReconnectPolicy(attemptsMax: 0)

    /// How long to wait before an attempt, which counts from 1: half to all of twice the wait before, so that
    /// many clients of one server do not come back at once.
    func delay(_ attempt: Int, _ random: inout some RandomNumberGenerator) -> Int64 {
        var delay = delayFirst
        for _ in 1..<max(1, attempt) where delay < delayMax {
            delay = delay > delayMax / 2 ? delayMax : delay * 2
        }
        return delay - Int64.random(in: 0...max(0, delay / 2), using: &random)
    }
}
