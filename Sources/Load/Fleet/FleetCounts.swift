/// A worker's counters.
package struct FleetCounts: Sendable, Hashable, Codable {
    /// Number of messages and probes sent during the measurement period.
    package var sent: UInt64 = 0
    /// Number of messages and probes sent in total, including warm-up.
    package var sentEver: UInt64 = 0
    /// Number of sends due in the measurement period but skipped because no operator was free.
    package var unsent: UInt64 = 0
    /// Number of answered probes.
    package var answered: UInt64 = 0
    /// Number of message copies delivered to the right recipients.
    package var delivered: UInt64 = 0
    /// Number of expected deliveries: one per message and recipient.
    package var owed: UInt64 = 0
    /// Number of deliveries that may have failed only because a connection was lost.
    package var indefinite: UInt64 = 0
    /// Number of sends that started more than 10 ms late.
    package var late: UInt64 = 0
    /// Number of sends delayed by a full socket.
    package var blocked: UInt64 = 0
    /// Number of sends dropped because the operator's queue was full.
    package var dropped: UInt64 = 0
    /// Number of messages received from other runs on the same server.
    package var foreign: UInt64 = 0
    /// Number of lines received.
    package var lines: UInt64 = 0
    /// Number of received lines that matched no rule.
    package var otherLines: UInt64 = 0
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    /// Number of operators that reached their rooms.
    package var ready: UInt64 = 0
    /// Number of operators that did not reach their rooms.
    package var failed: UInt64 = 0
    /// Number of operators that failed because they could not connect.
    package var unconnected: UInt64 = 0
    /// Number of operators that could not connect because this machine ran out of ports, file
    /// descriptors or memory.
    package var unconnectedHere: UInt64 = 0
    /// Number of times the server disconnected a misbehaving operator.
    package var disconnected: UInt64 = 0
    /// Number of messages dropped from the log because too many were in flight.
    package var givenUp: UInt64 = 0

    package init() {}

    /// Adds another worker's counters.
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
        foreign += other.foreign
        lines += other.lines
        otherLines += other.otherLines
        bytesSent += other.bytesSent
        bytesReceived += other.bytesReceived
        ready += other.ready
        failed += other.failed
        unconnected += other.unconnected
        unconnectedHere += other.unconnectedHere
        disconnected += other.disconnected
        givenUp += other.givenUp
    }
}
