import DialectModel
import LineProtocol
import Scenario

/// A line as it goes over the wire, in its parts.
struct WireLine: Sendable, Hashable {
    /// Without its terminator.
    var line: [UInt8]
    /// What ends it.
    var terminator: [UInt8]
    /// What follows: a payload and what ends that.
    var tail: [UInt8]

    /// All of it.
    var bytes: [UInt8] { line + terminator + tail }

    /// Divides bytes at the first terminator.
    init?(_ bytes: [UInt8], terminator: [UInt8]) {
        guard let place = bytes.firstRange(of: terminator) else { return nil }
        line = Array(bytes[..<place.lowerBound])
        self.terminator = terminator
        tail = Array(bytes[place.upperBound...])
    }

    /// What steps send first; nil if that depends on what the server says.
    init?(_ steps: [Step], _ values: [String: [UInt8]], by name: String, _ subject: Subject) {
        let values = subject.variables.merging(values) { _, given in given }
        guard let bytes = subject.bound.bytes(sending: steps, values, name: Array(name.utf8)) else {
            return nil
        }
        self.init(bytes, terminator: subject.terminator)
    }

    /// What a behaviour sends first; nil if the dialect lacks it, or that depends on what the server says.
    static func spoken(
        by name: String, _ behaviour: String, _ values: [String: [UInt8]], _ subject: Subject
    ) -> WireLine? {
        guard let behaviour = subject.bound[behaviour] else { return nil }
        return WireLine(behaviour.steps, values, by: name, subject)
    }

    /// The line of the dialect's probe with a token of its own; nil where there is none.
    static func probe(_ subject: Subject) -> WireLine? {
        spoken(by: "prober", "probe", [:], subject)
    }

    /// Where the command stands in the line.
    func verb(_ dialect: Dialect) -> Range<Int> {
        var split = SplitLine()
        LineSplitter(dialect).split(line.span, 0..<line.count, into: &split)
        return split.verb
    }
}
