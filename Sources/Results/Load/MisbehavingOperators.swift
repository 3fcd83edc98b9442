/// Results of one kind of misbehaving operators. They are not included in any other figures.
package struct MisbehavingOperators: Sendable, Codable, Equatable {
    /// Name of the operator kind.
    package var name: String
    /// Description of the behaviour, such as `slow-reader, 100 B/s`.
    package var behaviour: String
    package var operators: UInt64
    package var ready: UInt64
    package var failed: UInt64
    /// Number of these operators' connections closed by the server.
    package var disconnected: UInt64
    package var refused: UInt64
    package var sent: UInt64
    /// Number of messages delivered to these operators.
    package var arrived: UInt64
    package var bytesReceived: UInt64
    package var departures: UInt64
    package var returns: UInt64
    package var returnsFailed: UInt64
    package var latencies: [LoadResults.Latency]
    package var evidence: [LoadResults.Evidence]

    private enum CodingKeys: String, CodingKey {
        case name, behaviour, operators, ready, failed
        case disconnected = "cut"
        case refused, sent, arrived, bytesReceived, departures, returns, returnsFailed
        case latencies, evidence
    }

    package init(
        name: String, behaviour: String, operators: UInt64, ready: UInt64, failed: UInt64,
        disconnected: UInt64, refused: UInt64, sent: UInt64, arrived: UInt64,
        bytesReceived: UInt64,
        departures: UInt64, returns: UInt64, returnsFailed: UInt64,
        latencies: [LoadResults.Latency],
        evidence: [LoadResults.Evidence]
    ) {
        self.name = name
        self.behaviour = behaviour
        self.operators = operators
        self.ready = ready
        self.failed = failed
        self.disconnected = disconnected
        self.refused = refused
        self.sent = sent
        self.arrived = arrived
        self.bytesReceived = bytesReceived
        self.departures = departures
        self.returns = returns
        self.returnsFailed = returnsFailed
        self.latencies = latencies
        self.evidence = evidence
    }

    /// Adds the results of the same kind of operators from another generator.
    mutating func add(_ other: Self) throws {
        operators.grow(by: other.operators)
        ready.grow(by: other.ready)
        failed.grow(by: other.failed)
        disconnected.grow(by: other.disconnected)
        refused.grow(by: other.refused)
        sent.grow(by: other.sent)
        arrived.grow(by: other.arrived)
        bytesReceived.grow(by: other.bytesReceived)
        departures.grow(by: other.departures)
        returns.grow(by: other.returns)
        returnsFailed.grow(by: other.returnsFailed)
        try latencies.add(other.latencies)
        evidence += other.evidence.prefix(max(0, LoadResults.evidenceMax - evidence.count))
    }
}
