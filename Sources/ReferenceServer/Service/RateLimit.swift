/// A limit on the rate of lines from a connection, enforced with a token bucket.
package struct RateLimit: Sendable, Hashable {
    package var linesPerSecond: Double
    /// Maximum number of lines that may arrive in a burst.
    package var burst: Int

    package init(linesPerSecond: Double, burst: Int) {
        self.linesPerSecond = linesPerSecond
        self.burst = burst
    }
}

/// The tokens that a connection has left under a ``RateLimit``.
struct TokenBucket: Sendable {
    private var tokens: Double
    private var filledAt: Int64

    init(_ limit: RateLimit, at now: Int64) {
        tokens = Double(limit.burst)
        filledAt = now
    }

    /// Takes a token. Returns false if none is left.
    mutating func take(_ limit: RateLimit, at now: Int64) -> Bool {
        let seconds = Double(max(0, now - filledAt)) / 1_000_000_000
        tokens = min(Double(limit.burst), tokens + seconds * limit.linesPerSecond)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
