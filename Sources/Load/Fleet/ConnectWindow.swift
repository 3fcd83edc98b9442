/// How many connections are begun at a time: few at first, more while the server takes them quickly, fewer when it
/// does not. A server with a short queue makes those wait whole seconds for whom it has no place.
struct ConnectWindow: Sendable {
    static let first = 8.0
    static let least = 2.0
    static let most = 256.0
    /// A connection that took so long was not taken at once.
    static let slowNanoseconds: Int64 = 500_000_000

    private(set) var size = first
    private var shrunkAt: Int64 = .min

    /// A connection stands after so long.
    mutating func connected(after time: Int64, at now: Int64) {
        if time > Self.slowNanoseconds {
            shrink(at: now)
        } else {
            size = min(size + 1 / size * 4, Self.most)
        }
    }

    /// A connection was refused or took too long.
    mutating func failed(at now: Int64) { shrink(at: now) }

    private mutating func shrink(at now: Int64) {
        // All that were under way together suffer together; they count once.
        guard shrunkAt == .min || now - shrunkAt > Self.slowNanoseconds else { return }
        shrunkAt = now
        size = max(size / 2, Self.least)
    }

    func hasRoom(_ underWay: Int) -> Bool { Double(underWay) < size }
}
