import LineProtocol

/// The input of one trial: lines with their terminators, how they are divided into writes, and how
/// the connection ends.
///
/// Placeholders of the same length replace names and rooms, so that the trial can be repeated with
/// other names and rooms.
struct FuzzInput: Sendable, Hashable {
    static let linesMax = 12
    static let bytesMax = 32_768
    /// Placeholders for the names and the room.
    static let (alice, bob, room) = ("qalicex", "qbobxxx", SeededRandom.sampleRoom)

    /// The lines, including their terminators. A terminator may be missing.
    var lines: [[UInt8]]
    /// Start offsets of the second and later writes, in ascending order.
    var cuts: [Int] = []
    var ending = Ending.none
    /// Messages that bob must receive in this order, and nothing else; nil if any outcome is
    /// acceptable.
    var texts: [[UInt8]]?

    /// The way the sender's connection ends.
    enum Ending: String, Sendable, Hashable, CaseIterable {
        /// The connection stays open and is probed.
        case none
        case close, abort
        /// The client closes the connection, and the FIN is sent with the last bytes.
        case closeWithData
    }

    var bytes: [UInt8] { Array(lines.joined()) }

    /// The bytes of each write, in order.
    var pieces: [[UInt8]] {
        let bytes = bytes
        var pieces: [[UInt8]] = []
        var start = 0
        for cut in cuts + [bytes.count] where cut > start && cut <= bytes.count {
            pieces.append(Array(bytes[start..<cut]))
            start = cut
        }
        return pieces
    }

    /// Enforces the size limits, sorts the split offsets and removes any that are out of range.
    mutating func tidy() {
        lines = Array(lines.filter { !$0.isEmpty }.prefix(Self.linesMax))
        var count = 0
        for index in lines.indices {
            lines[index] = Array(lines[index].prefix(max(0, Self.bytesMax - count)))
            count += lines[index].count
        }
        lines.removeAll(where: \.isEmpty)
        cuts = Array(Set(cuts.filter { $0 > 0 && $0 < count })).sorted()
    }
}

extension FuzzInput {
    /// The input in corpus file format.
    var text: String {
        var rows = ["linejudge fuzz 1"]
        rows += lines.map { "line " + Self.escaped($0) }
        rows += cuts.map { "cut \($0)" }
        if ending != .none { rows.append("end \(ending.rawValue)") }
        rows += (texts ?? []).map { "text " + Self.escaped($0) }
        return rows.joined(separator: "\n") + "\n"
    }

    /// Parses a corpus file. Returns nil if the text is malformed.
    init?(text: String) {
        var rows = text.split(separator: "\n").map(String.init)
        guard rows.first == "linejudge fuzz 1" else { return nil }
        rows.removeFirst()
        self.init(lines: [])
        for row in rows {
            let parts = row.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = parts.count > 1 ? parts[1] : ""
            switch parts.first {
            case "line": lines.append(Self.unescaped(rest))
            case "cut": cuts.append(Int(rest) ?? 0)
            case "end": ending = Ending(rawValue: rest) ?? .none
            case "text": texts = (texts ?? []) + [Self.unescaped(rest)]
            default: return nil
            }
        }
        tidy()
        if lines.isEmpty { return nil }
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            (0x21...0x7E).contains(byte) && byte != 0x5C
                ? String(UnicodeScalar(byte))
                : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func unescaped(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let isEscape = bytes[offset] == 0x5C && offset + 3 < bytes.count
            let digits =
                isEscape ? String(decoding: bytes[(offset + 2)...(offset + 3)], as: UTF8.self) : ""
            if let byte = UInt8(digits, radix: 16) {
                result.append(byte)
                offset += 4
            } else {
                result.append(bytes[offset])
                offset += 1
            }
        }
        return result
    }
}
