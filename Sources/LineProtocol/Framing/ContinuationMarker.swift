/// Marker that shows that an answer continues on the next line, such as `-` in `250-first`.
struct ContinuationMarker: Sendable, Equatable {
    let byte: UInt8
    /// Number of digits before the marker.
    let codeBytes: Int

    /// Creates the marker for a direction; nil if lines in that direction have no such marker.
    init?(_ framing: Framing, _ direction: Direction) {
        guard case .mark(let byte, let codeBytes) = framing.grouping, framing.unit == .line,
            direction == .fromServer
        else { return nil }
        self.byte = byte
        self.codeBytes = max(0, codeBytes)
    }

    /// Returns true if the line in `range` starts a multi-line answer.
    func starts(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let end = range.lowerBound + codeBytes
        guard end < range.upperBound, bytes[end] == byte else { return false }
        return (range.lowerBound..<end).allSatisfy { ASCII.isDigit(bytes[$0]) }
    }

    /// Returns true if the line in `range` ends the answer that starts at `first`: it has the same
    /// code and no marker.
    func ends(_ range: Range<Int>, _ first: Int, _ bytes: Span<UInt8>) -> Bool {
        let end = range.lowerBound + codeBytes
        guard end <= range.upperBound, end == range.upperBound || bytes[end] != byte else {
            return false
        }
        return (0..<codeBytes).allSatisfy { bytes[range.lowerBound + $0] == bytes[first + $0] }
    }
}
