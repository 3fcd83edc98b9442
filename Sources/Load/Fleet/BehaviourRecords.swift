import LineProtocol
import Results

/// Statistics and incidents of misbehaving operators, by kind.
struct BehaviourRecords {
    /// Maximum bytes kept of an operator's last unrecognised line or refusal.
    static let lastLineBytesMax = 512

    /// Tallies by index of the kind.
    private(set) var tallies: [BehaviourTally]
    /// Last unrecognised line or refusal received by each operator.
    private var lastLines: [Int: [UInt8]] = [:]

    init(kinds: Int) { tallies = [BehaviourTally](repeating: BehaviourTally(), count: kinds) }

    subscript(_ state: OperatorState) -> BehaviourTally {
        _read { yield tallies[Int(state.kind)] }
        _modify { yield &tallies[Int(state.kind)] }
    }

    /// Stores a line, which may explain what happens to the operator next.
    mutating func noteLine(_ bytes: Span<UInt8>, _ frame: Frame, _ index: Int) {
        let upper = min(frame.line.upperBound, frame.line.lowerBound + Self.lastLineBytesMax)
        lastLines[index] = bytes.array(frame.line.lowerBound..<upper)
    }

    /// Records an incident, along with the operator's last stored line.
    mutating func note(_ story: String, _ index: Int, _ state: OperatorState) {
        self[state].note(story, lastLines[index] ?? [])
    }

    mutating func forgetLine(_ index: Int) { lastLines[index] = nil }
}
