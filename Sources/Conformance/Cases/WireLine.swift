import DialectModel
import LineProtocol
import Scenario

/// A line as sent, split into its text, its terminator and the bytes after it.
struct WireLine: Sendable, Hashable {
    /// The line without its terminator.
    var line: [UInt8]
    var terminator: [UInt8]
    /// Bytes that follow the line, such as a payload with its terminator; empty if there are none.
    var tail: [UInt8]

    var bytes: [UInt8] { line + terminator + tail }

    /// Splits bytes at the first terminator; nil if there is none.
    init?(_ bytes: [UInt8], terminator: [UInt8]) {
        guard let range = bytes.firstRange(of: terminator) else { return nil }
        line = Array(bytes[..<range.lowerBound])
        self.terminator = terminator
        tail = Array(bytes[range.upperBound...])
    }

    /// Splits the bytes that the steps send before they first wait for the server; nil if these
    /// bytes depend on data from the server.
    init?(_ steps: [Step], _ values: [String: [UInt8]], by name: String, _ subject: Subject) {
        let values = subject.variables.merging(values) { _, given in given }
        guard let bytes = subject.bound.bytes(sending: steps, values, name: Array(name.utf8)) else {
            return nil
        }
        self.init(bytes, terminator: subject.terminator)
    }

    /// Returns the bytes that a behaviour sends before it first waits for the server, split after
    /// the first line. Returns nil if there is no such behaviour, or if the bytes depend on data
    /// from the server.
    static func spoken(
        by name: String, _ behaviour: String, _ values: [String: [UInt8]], _ subject: Subject
    ) -> WireLine? {
        guard let behaviour = subject.bound[behaviour] else { return nil }
        return WireLine(behaviour.steps, values, by: name, subject)
    }

    /// Returns the line that sends the dialect's probe with a token; nil if there is no probe.
    static func probe(_ subject: Subject) -> WireLine? {
        spoken(by: "prober", "probe", [:], subject)
    }

    /// Returns the range of the command in the line.
    func verb(_ dialect: Dialect) -> Range<Int> {
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromClient).split(line.span, 0..<line.count, into: &split)
        return split.verb
    }
}
