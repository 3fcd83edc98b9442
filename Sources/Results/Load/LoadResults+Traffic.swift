extension LoadResults {
    /// Counters for the traffic of a load test.
    package struct Traffic: Sendable, Codable, Equatable {
        package var measuredNanoseconds: Int64
        /// Number of messages and probes sent during the measurement period.
        package var sent: UInt64
        package var unsent: UInt64
        package var sentEver: UInt64
        package var answered: UInt64
        package var owed: UInt64
        package var delivered: UInt64
        package var indefinite: UInt64
        /// Number of messages received from other runs on the same server.
        package var foreign: UInt64
        package var lines: UInt64
        package var otherLines: UInt64
        package var bytesSent: UInt64
        package var bytesReceived: UInt64

        package var rate: Double {
            measuredNanoseconds > 0 ? Double(sent) * 1e9 / Double(measuredNanoseconds) : 0
        }

        package init(
            measuredNanoseconds: Int64, sent: UInt64, unsent: UInt64, sentEver: UInt64,
            answered: UInt64, owed: UInt64, delivered: UInt64, indefinite: UInt64,
            foreign: UInt64, lines: UInt64, otherLines: UInt64, bytesSent: UInt64,
            bytesReceived: UInt64
        ) {
            self.measuredNanoseconds = measuredNanoseconds
            self.sent = sent
            self.unsent = unsent
            self.sentEver = sentEver
            self.answered = answered
            self.owed = owed
            self.delivered = delivered
            self.indefinite = indefinite
            self.foreign = foreign
            self.lines = lines
            self.otherLines = otherLines
            self.bytesSent = bytesSent
            self.bytesReceived = bytesReceived
        }
    }

    /// The delivery ledger, which shows whether every message arrived once and in order.
    package struct Ledger: Sendable, Codable, Equatable {
        /// Number of violations of each kind.
        package var violations: [String: UInt64]
        /// Number of messages no longer tracked because too many were in flight.
        package var givenUp: UInt64
        /// The first few violations of each kind.
        package var evidence: [Evidence]

        package init(violations: [String: UInt64], givenUp: UInt64, evidence: [Evidence]) {
            self.violations = violations
            self.givenUp = givenUp
            self.evidence = evidence
        }
    }

    /// An example of a violation, with the line that shows it. The line is escaped for display.
    package struct Evidence: Sendable, Codable, Equatable {
        package var kind: String?
        package var story: String
        package var line: String?
        package var timeNanoseconds: Int64?

        package init(
            kind: String? = nil, story: String, line: String? = nil, timeNanoseconds: Int64? = nil
        ) {
            self.kind = kind
            self.story = story
            self.line = line
            self.timeNanoseconds = timeNanoseconds
        }
    }
}
