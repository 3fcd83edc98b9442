/// When a client pings, and when its session has to be taken for lost: pure logic, time is a parameter.
///
/// Nothing but a ping keeps a session alive at the server, so that pings follow their own schedule whatever
/// else is sent. They go on until logout.
public struct KeepAlive: Sendable, Hashable {
    /// What is to be done now.
    public enum Action: Sendable, Hashable {
        /// Nothing before that time.
        case wait(until: Int64)
        /// Send a ping, and say so with ``KeepAlive/sent(at:)``.
        case ping
        /// Nothing was heard for too long: the session is lost.
        case lost
        /// Nothing any more: logged out.
        case end
    }

    /// From one ping to the next, in nanoseconds.
    public let pingEvery: Int64
    /// How long after a ping something has to be heard, in nanoseconds.
    public let answerWithin: Int64
    private var nextPing: Int64
    /// When the oldest ping was sent since which nothing was heard.
    private var unanswered: Int64?
    private var hasEnded = false

    /// The schedule of a session that begins.
    ///
    /// - Parameters:
    ///   - expiresAfter: after how long without a ping the server ends the session. Three pings fit into
    ///     it, so that one that comes late or is lost does no harm.
    ///   - answerWithin: how long after a ping something has to be heard; as long as `expiresAfter`, if
    ///     nothing else is said.
    ///   - now: the time in nanoseconds.
    public init(expiresAfter: Int64, answerWithin: Int64? = nil, now: Int64) {
        pingEvery = max(1, expiresAfter / 3)
        self.answerWithin = answerWithin ?? expiresAfter
        nextPing = now + pingEvery
    }

    /// What is to be done at a time.
    public func action(at now: Int64) -> Action {
        guard !hasEnded else { return .end }
        let lostAt = unanswered.map { $0 + answerWithin } ?? .max
        if now >= lostAt { return .lost }
        if now >= nextPing { return .ping }
        return .wait(until: min(nextPing, lostAt))
    }

    /// A ping was sent. One that was late is not made up for.
    public mutating func sent(at now: Int64) {
        nextPing = now + pingEvery
        if unanswered == nil { unanswered = now }
    }

    /// Something was heard, an answer or anything else: the server is there.
    public mutating func heard() {
        unanswered = nil
    }

    /// Logged out: no ping is sent any more.
    public mutating func end() {
        hasEnded = true
    }
}
