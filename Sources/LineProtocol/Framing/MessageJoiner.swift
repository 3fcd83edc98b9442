/// Turns the messages of a connection, such as those of WebSocket, into a byte stream. A message
/// that carries a line gets the line's terminator, unless it has one.
package struct MessageJoiner {
    /// The terminators of lines, with the one to add first; empty if messages carry a stream.
    private let lineEnds: [Terminator]
    /// The last two bytes of the message so far.
    private var beforeLast: UInt8?
    private var last: UInt8?

    package init(_ lineEnds: [Terminator]) { self.lineEnds = lineEnds }

    /// Notes a piece of a message. If the message ends with it, returns the bytes to add.
    ///
    /// - Parameter tail: the piece, or at least its last two bytes.
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
