/// Joiner that turns the messages of a transport such as WebSocket into a byte stream. If messages
/// contain lines, it adds missing line terminators.
package struct MessageJoiner {
    /// The line terminators, starting with the one to add; empty if messages contain a byte stream.
    private let lineEnds: [Terminator]
    /// The last two bytes of the message so far; nil if it is shorter.
    private var beforeLast: UInt8?
    private var last: UInt8?

    package init(_ lineEnds: [Terminator]) { self.lineEnds = lineEnds }

    /// Records a part of a message. Returns the bytes to append after it: a line terminator if this
    /// is the last part and the message does not end with one; otherwise none.
    ///
    /// - Parameter tail: the part, or at least its last two bytes.
    package mutating func add(_ tail: [UInt8], isLast: Bool) -> [UInt8] {
        guard let missing = lineEnds.first else { return [] }
        if let byte = tail.last {
            beforeLast = tail.dropLast().last ?? last
            last = byte
        }
        guard isLast else { return [] }
        defer { (beforeLast, last) = (nil, nil) }
        let isComplete = lineEnds.contains { end in
            end.last == last && (end.first == nil || end.first == beforeLast)
        }
        return isComplete ? [] : missing.bytes
    }
}
