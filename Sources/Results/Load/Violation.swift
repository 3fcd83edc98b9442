/// A delivery error or another failure detected during a load.
package struct Violation: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// A text was never delivered.
        case lost
        /// A text was delivered more than once.
        case duplicate
        /// A text was delivered after a later text from the same sender.
        case reordered
        /// A text was delivered to the wrong client or room.
        case leaked
        /// A text was delivered that no operator sent.
        case phantom
        /// A text was delivered with a changed body, sender or room.
        case corrupted
        /// A probe was never answered.
        case unanswered
        /// The server refused a command.
        case refused
        /// The server closed a connection.
        case disconnected
        /// A scenario expectation failed.
        case unmet
    }

    package var kind: Kind
    /// Description in one sentence.
    package var story: String
    /// The line that shows it, as received; empty if there is none.
    package var line: [UInt8]
    /// Nanoseconds since the start of the load.
    package var time: Int64

    package init(_ kind: Kind, _ story: String, line: [UInt8] = [], time: Int64) {
        self.kind = kind
        self.story = story
        self.line = line
        self.time = time
    }
}

/// The violations of a worker. All are counted; the first few of each kind are kept.
package struct ViolationList: Sendable, Codable {
    /// The maximum number of violations kept per kind.
    package static let keptMax = 10
    /// The maximum number of bytes kept of a line.
    package static let lineBytesMax = 1024

    package private(set) var counts: [Violation.Kind: UInt64] = [:]
    package private(set) var kept: [Violation] = []

    package init() {}

    package subscript(kind: Violation.Kind) -> UInt64 { counts[kind, default: 0] }

    package var total: UInt64 { counts.values.reduce(0, +) }

    /// Counts a violation; calls `evidence` only if it is kept.
    package mutating func add(_ kind: Violation.Kind, _ evidence: () -> Violation) {
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= UInt64(Self.keptMax) { kept.append(evidence()) }
    }

    /// Counts violations without evidence.
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
