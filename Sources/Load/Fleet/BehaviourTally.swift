import Results

/// Statistics for operators with the same misbehaviour, separate from those of ordinary operators.
package struct BehaviourTally: Sendable, Codable {

    package var operators: UInt64 = 0
    /// Number of operators that finished their setup.
    package var ready: UInt64 = 0
    package var failed: UInt64 = 0
    package var disconnected: UInt64 = 0
    /// Number of refusals received.
    package var refused: UInt64 = 0
    /// Number of messages sent.
    package var sent: UInt64 = 0
    /// Number of messages received.
    package var arrived: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    /// Number of times an operator disconnected on purpose.
    package var departures: UInt64 = 0
    package var returns: UInt64 = 0
    /// Number of failed attempts to return.
    package var returnsFailed: UInt64 = 0
    package var recorder = LatencyRecorder()
    /// The first few incidents, each with the line that caused it.
    package var evidence: [SetupFailure] = []

    package init() {}

    mutating func note(_ story: String, _ line: [UInt8]) {
        guard evidence.count < LoadResults.evidenceMax else { return }
        evidence.append(SetupFailure(story: story, line: line))
    }

    /// Adds another worker's statistics.
    package mutating func merge(_ other: BehaviourTally) {
        operators += other.operators
        ready += other.ready
        failed += other.failed
        disconnected += other.disconnected
        refused += other.refused
        sent += other.sent
        arrived += other.arrived
        bytesReceived += other.bytesReceived
        departures += other.departures
        returns += other.returns
        returnsFailed += other.returnsFailed
        recorder.merge(other.recorder)
        evidence += other.evidence.prefix(max(0, LoadResults.evidenceMax - evidence.count))
    }
}
