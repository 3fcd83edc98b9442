/// A window that limits concurrent connection attempts: it grows while the server accepts quickly
/// and shrinks when it does not. When a server's accept queue overflows, the kernel retries only
/// after seconds.
struct ConnectWindow: Sendable {
    static let first = 8.0
    static let least = 2.0
    static let most = 256.0
    /// An attempt that takes longer than this was not accepted at once.
    static let slowNanoseconds: Int64 = 500_000_000

    private(set) var size = first
    private var shrunkAt: Int64 = .min

    /// Notes an established connection and the time it took.
    mutating func connected(after time: Int64, at now: Int64) {
        if time > Self.slowNanoseconds {
            shrink(at: now)
        } else {
            size = min(size + 1 / size * 4, Self.most)
        }
    }

    /// Notes a refused or slow connection.
    mutating func failed(at now: Int64) { shrink(at: now) }

    private mutating func shrink(at now: Int64) {
        // Attempts in flight at the same time fail for the same reason; they count once.
        guard shrunkAt == .min || now - shrunkAt > Self.slowNanoseconds else { return }
        shrunkAt = now
        size = max(size / 2, Self.least)
    }

    func hasRoom(_ underWay: Int) -> Bool { Double(underWay) < size }
}
