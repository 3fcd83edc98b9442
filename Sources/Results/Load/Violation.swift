/// A promise of delivery that was broken, with what shows it.
package struct Violation: Sendable, Equatable, Codable {
    /// How it was broken.
    package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// A text never arrived.
        case lost
        /// A text arrived again.
        case duplicate
        /// A text arrived after a later one of the same sender.
        case reordered
        /// A text arrived where it does not belong.
        case leaked
        /// A text arrived that nobody has sent.
        case phantom
        /// A text, its sender or its room arrived changed.
        case corrupted
        /// A probe was never answered.
        case unanswered
        /// The server refused something.
        case refused
        /// The server closed a connection.
        case disconnected
        /// An expectation of a scenario was not met.
        case unmet
    }

    package var kind: Kind
    /// What happened, in a sentence.
    package var story: String
    /// The line that shows it, as it came; empty where there is none.
    package var line: [UInt8]
    /// When, in nanoseconds since the load began.
    package var time: Int64

    /// A violation from its parts.
    package init(_ kind: Kind, _ story: String, line: [UInt8] = [], time: Int64) {
        self.kind = kind
        self.story = story
        self.line = line
        self.time = time
    }
}

/// The violations of a worker: all are counted, the first of each kind are kept.
package struct ViolationList: Sendable, Codable {
    /// How many of each kind are kept with their lines.
    package static let keptMax = 10
    /// How much of a line is kept.
    package static let lineBytesMax = 1024

    package private(set) var counts: [Violation.Kind: UInt64] = [:]
    package private(set) var kept: [Violation] = []

    /// An empty one.
    package init() {}

    /// How many there are of a kind.
    package subscript(kind: Violation.Kind) -> UInt64 { counts[kind, default: 0] }

    /// How many there are of all kinds.
    package var total: UInt64 { counts.values.reduce(0, +) }

    /// Counts one; what shows it is made only if it is kept.
    package mutating func add(_ kind: Violation.Kind, _ evidence: () -> Violation) {
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= UInt64(Self.keptMax) { kept.append(evidence()) }
    }

    /// Counts many of which nothing is kept.
    package mutating func count(_ kind: Violation.Kind, _ number: UInt64) {
        counts[kind, default: 0] += number
    }

    /// Adds those of another worker.
    package mutating func merge(_ other: ViolationList) {
        counts.merge(other.counts) { $0 + $1 }
        for violation in other.kept
        where kept.count(where: { $0.kind == violation.kind }) < Self.keptMax {
            kept.append(violation)
        }
    }
}
