import LineProtocol

/// Divider that turns sent bytes into WebSocket messages: one for each line, without its
/// terminator.
///
/// A write may end within a line or within a terminator. The rest of the line then belongs to the
/// same message.
struct MessageDivider {
    /// Line terminators, two-byte terminators first; empty if each write is a message.
    private let lineEnds: [Terminator]
    /// The last byte written, held back if it may be the first byte of a two-byte terminator;
    /// otherwise empty.
    private var held: [UInt8] = []
    /// The byte to skip if it comes next, because it completes the terminator of the last line; nil
    /// if there is none.
    private var skipped: UInt8?

    init(_ lineEnds: [Terminator]) {
        self.lineEnds = lineEnds.sorted { $0.count > $1.count }
    }

    /// Calls `body` for each piece of a message, with true if the message ends with that piece.
    mutating func divide(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>, Bool) -> Void) {
        guard !lineEnds.isEmpty else { return body(bytes[...], true) }
        let text = held + bytes
        held = []
        var start = skipsFirst(of: text) ? 1 : 0
        var index = start
        while index < text.count {
            defer { index += 1 }
            guard let end = lineEnd(at: index, text, lineStart: start) else { continue }
            body(text[start..<(index + 1 - end.count)], true)
            start = index + 1
            guard end.first == nil, let longer = lineEnds.first(where: { $0.first == end.last })
            else { continue }
            if start == text.count {
                skipped = longer.last
            } else if text[start] == longer.last {
                start += 1
                index += 1
            }
        }
        var rest = text[start...]
        if let last = rest.last, lineEnds.contains(where: { $0.first == last }) {
            held = [last]
            rest.removeLast()
        }
        if !rest.isEmpty { body(rest, false) }
    }

    /// Returns the byte that is held back because it may start a terminator.
    mutating func finish() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private mutating func skipsFirst(of text: [UInt8]) -> Bool {
        guard let byte = text.first, let skipped else { return false }
        self.skipped = nil
        return byte == skipped
    }

    private func lineEnd(at index: Int, _ text: [UInt8], lineStart: Int) -> Terminator? {
        lineEnds.first { end in
            guard end.last == text[index] else { return false }
            guard let first = end.first else { return true }
            return index > lineStart && text[index - 1] == first
        }
    }
}
