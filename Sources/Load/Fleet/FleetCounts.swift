/// Counters of a worker.
package struct FleetCounts: Sendable, Hashable, Codable {
    /// Messages and probes sent during the measured time.
    package var sent: UInt64 = 0
    /// Messages and probes sent at any time.
    package var sentEver: UInt64 = 0
    /// Arrivals in the measured time for which no operator was free.
    package var unsent: UInt64 = 0
    /// Answered probes.
    package var answered: UInt64 = 0
    /// Copies of messages delivered to the right recipients.
    package var delivered: UInt64 = 0
    /// Expected deliveries: each message counts once per recipient.
    package var owed: UInt64 = 0
    /// Deliveries that never happened because a connection was lost.
    package var indefinite: UInt64 = 0
    /// Sends that started more than 10 ms late.
    package var late: UInt64 = 0
    /// Sends delayed by a full socket.
    package var blocked: UInt64 = 0
    /// Sends dropped because the operator's queue was full.
    package var dropped: UInt64 = 0
    /// Messages from other runs on the same server.
    package var foreign: UInt64 = 0
    /// Lines received.
    package var lines: UInt64 = 0
    /// Lines received that no rule matched.
    package var otherLines: UInt64 = 0
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    /// Operators that reached their rooms.
    package var ready: UInt64 = 0
    /// Operators that did not reach their rooms.
    package var failed: UInt64 = 0
    /// Failed operators that could not connect.
    package var unconnected: UInt64 = 0
    /// Operators that could not connect because this machine ran out of ports, file descriptors or
    /// memory.
    package var unconnectedHere: UInt64 = 0
    /// Connections of deviating operators that the server closed.
    package var cut: UInt64 = 0
    /// Messages dropped from the log because too many were in flight.
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
        cut += other.cut
        givenUp += other.givenUp
    }
}
