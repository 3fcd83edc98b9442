/// A delivery error or other failure detected during a load test.
package struct Violation: Sendable, Equatable, Codable {
    /// The type of a violation. The raw value is its name in results, reports and thresholds.
    package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// A message was never delivered.
        case lost
        /// A message was delivered more than once.
        case duplicate
        /// A message was delivered after a later message from the same sender.
        case reordered
        /// A message was delivered to the wrong client or room.
        case leaked
        /// A message was delivered that no operator had sent.
        case phantom
        /// A message was delivered with the wrong text, sender or room.
        case corrupted
        /// A probe was never answered.
        case unanswered
        /// The server refused a command.
        case refused
        /// The server closed a connection.
        case disconnected
        /// An expectation in a scenario failed.
        case unmet
    }

    package var kind: Kind
    /// Description of the violation in one sentence.
    package var story: String
    /// The line that shows the violation, as received; empty if there is none.
    package var line: [UInt8]
    /// Time in nanoseconds since the start of the load test.
    package var time: Int64

    package init(_ kind: Kind, _ story: String, line: [UInt8] = [], time: Int64) {
        self.kind = kind
        self.story = story
        self.line = line
        self.time = time
    }
}

/// The violations that one worker detected. All are counted, but only the first few of each kind
/// are kept.
package struct ViolationList: Sendable, Codable {
    /// Maximum number of violations kept per kind.
    package static let keptMax = 10
    /// Maximum bytes kept per line.
    package static let lineBytesMax = 1024

    package private(set) var counts: [Violation.Kind: UInt64] = [:]
    package private(set) var kept: [Violation] = []

    package init() {}

    package subscript(kind: Violation.Kind) -> UInt64 { counts[kind, default: 0] }

    package var total: UInt64 { counts.values.reduce(0, +) }

    /// Counts a violation. Calls `evidence` only if the violation will be kept.
    package mutating func add(_ kind: Violation.Kind, _ evidence: () -> Violation) {
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= UInt64(Self.keptMax) { kept.append(evidence()) }
    }

    /// Counts violations without keeping evidence.
    package mutating func count(_ kind: Violation.Kind, _ number: UInt64) {
        counts[kind, default: 0] += number
    }

    package mutating func merge(_ other: ViolationList) {
        counts.merge(other.counts) { $0 + $1 }
        for violation in other.kept
        where kept.count(where: { $0.kind == violation.kind }) < Self.keptMax {
            kept.append(violation)
        }
    }
}
