/// What a worker has counted.
package struct FleetCounts: Sendable, Hashable, Codable {
    /// Texts and probes that were sent in the measured time.
    package var sent: UInt64 = 0
    /// The same, of all times.
    package var sentEver: UInt64 = 0
    /// Arrivals of the measured time that nobody could serve.
    package var unsent: UInt64 = 0
    /// Probes that were answered.
    package var answered: UInt64 = 0
    /// Copies of texts that arrived where they should.
    package var delivered: UInt64 = 0
    /// Texts that had to arrive somewhere, counted once for each who should have them.
    package var owed: UInt64 = 0
    /// Copies that did not arrive because a connection was lost.
    package var indefinite: UInt64 = 0
    /// Sends that began later than a tenth of a second after they were due.
    package var late: UInt64 = 0
    /// Sends that a full socket held up.
    package var blocked: UInt64 = 0
    /// Sends that were dropped because too much waited for the same operator.
    package var dropped: UInt64 = 0
    /// Texts of others that happen to be on the same server.
    package var strangers: UInt64 = 0
    /// All lines that arrived.
    package var lines: UInt64 = 0
    /// Lines of which the load makes nothing.
    package var otherLines: UInt64 = 0
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    /// Operators that got into their rooms.
    package var ready: UInt64 = 0
    /// Operators that did not.
    package var failed: UInt64 = 0
    /// Failed because no connection was made.
    package var unconnected: UInt64 = 0
    /// Of these, because this machine had no port, descriptor or memory left.
    package var unconnectedHere: UInt64 = 0
    /// Connections of personas that the server closed.
    package var cut: UInt64 = 0
    /// Messages that were given up because too many were under way.
    package var givenUp: UInt64 = 0

    /// Nothing.
    package init() {}

    /// Adds what another worker has counted.
    package mutating func merge(_ other: FleetCounts) {
        sent += other.sent
        sentEver += other.sentEver
        unsent += other.unsent
        answered += other.answered
        delivered += other.delivered
        owed += other.owed
        indefinite += other.indefinite
        late += other.late
        blocked += other.blocked
        dropped += other.dropped
        strangers += other.strangers
        lines += other.lines
        otherLines += other.otherLines
        bytesSent += other.bytesSent
        bytesReceived += other.bytesReceived
        ready += other.ready
        failed += other.failed
        unconnected += other.unconnected
        unconnectedHere += other.unconnectedHere
        cut += other.cut
        givenUp += other.givenUp
    }
}
