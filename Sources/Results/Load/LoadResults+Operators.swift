extension LoadResults {
    /// Numbers of operators that reached their rooms or failed to.
    package struct Operators: Sendable, Codable, Equatable {
        package var ready: UInt64
        package var failed: UInt64
        package var unconnected: UInt64
        /// Number of operators that failed because the generator's machine lacked ports, file
        /// descriptors or memory.
        package var unconnectedHere: UInt64
        package var failures: [Evidence]

        package init(
            ready: UInt64, failed: UInt64, unconnected: UInt64, unconnectedHere: UInt64,
            failures: [Evidence]
        ) {
            self.ready = ready
            self.failed = failed
            self.unconnected = unconnected
            self.unconnectedHere = unconnectedHere
            self.failures = failures
        }
    }

    /// Progress of all operators at one point during the ramp.
    package struct RampPoint: Sendable, Codable, Equatable {
        package var timeNanoseconds: Int64
        package var connected: Int
        package var ready: Int
        package var failed: Int

        package init(timeNanoseconds: Int64, connected: Int, ready: Int, failed: Int) {
            self.timeNanoseconds = timeNanoseconds
            self.connected = connected
            self.ready = ready
            self.failed = failed
        }
    }

    /// Results of one kind of misbehaving operators. They are not included in any other figures.
    package struct Behaviour: Sendable, Codable, Equatable {
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
        package var latencies: [Latency]
        package var evidence: [Evidence]

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
            departures: UInt64, returns: UInt64, returnsFailed: UInt64, latencies: [Latency],
            evidence: [Evidence]
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
    }
}
