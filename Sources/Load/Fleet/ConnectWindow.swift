/// Limit on concurrent connection attempts, which grows while the server accepts quickly and
/// shrinks otherwise. Without it, the server's accept queue could overflow, and the kernel waits
/// seconds before it retries a dropped handshake.
struct ConnectWindow: Sendable {
    static let first = 8.0
    static let sizeMin = 2.0
    static let sizeMax = 256.0
    /// Time after which a connection attempt counts as slow, in nanoseconds.
    static let slowNanoseconds: Int64 = 500_000_000

    private(set) var size = first
    private var shrunkAt: Int64 = .min

    /// Records an established connection and the time it took.
    mutating func connected(after time: Int64, at now: Int64) {
        if time > Self.slowNanoseconds {
            shrink(at: now)
        } else {
            size = min(size + 1 / size * 4, Self.sizeMax)
        }
    }

    /// Records a failed connection attempt.
    mutating func failed(at now: Int64) { shrink(at: now) }

    private mutating func shrink(at now: Int64) {
        // Concurrent attempts fail for the same reason, so they shrink the window only once.
        guard shrunkAt == .min || now - shrunkAt > Self.slowNanoseconds else { return }
        shrunkAt = now
        size = max(size / 2, Self.sizeMin)
    }

    func hasRoom(_ underWay: Int) -> Bool { Double(underWay) < size }
}
