import LineProtocol

/// What one trial sends: lines with their terminators, where writes are cut, and how the connection ends.
///
/// People and the room are called by stand-ins of the length of real names, so that a trial can be played again
/// under others.
struct FuzzInput: Sendable, Hashable {
    /// The most lines of a trial.
    static let linesMax = 12
    /// The most bytes of a trial.
    static let bytesMax = 32_768
    /// The stand-ins.
    static let (alice, bob, room) = ("qalicex", "qbobxxx", 77_777)

    /// Each with what ends it; some may have no end.
    var lines: [[UInt8]]
    /// Where in all bytes a new write begins, in order.
    var cuts: [Int] = []
    var ending = Ending.none
    /// Texts that bob must hear exactly, in this order; nil: anything may come of it.
    var texts: [[UInt8]]?

    /// How the speaker's connection ends.
    enum Ending: String, Sendable, Hashable, CaseIterable {
        /// It does not: it is asked whether it is alive.
        case none
        case close, abort
        /// The FIN leaves with the last bytes.
        case closeWithData
    }

    /// All bytes.
    var bytes: [UInt8] { Array(lines.joined()) }

    /// The bytes in their writes.
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

    /// Within its maxima, the cuts in order and inside of the bytes.
    mutating func tidy() {
        lines = Array(lines.filter { !$0.isEmpty }.prefix(Self.linesMax))
        var count = 0
        for place in lines.indices {
            lines[place] = Array(lines[place].prefix(max(0, Self.bytesMax - count)))
            count += lines[place].count
        }
        lines.removeAll(where: \.isEmpty)
        cuts = Array(Set(cuts.filter { $0 > 0 && $0 < count })).sorted()
    }
}

extension FuzzInput {
    /// The input as it stands in a file of a corpus.
    var text: String {
        var rows = ["linejudge fuzz 1"]
        rows += lines.map { "line " + Self.escaped($0) }
        rows += cuts.map { "cut \($0)" }
        if ending != .none { rows.append("end \(ending.rawValue)") }
        rows += (texts ?? []).map { "text " + Self.escaped($0) }
        return rows.joined(separator: "\n") + "\n"
    }

    /// Reads such a file; nil where it is none.
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
        var place = 0
        while place < bytes.count {
            let isEscape = bytes[place] == 0x5C && place + 3 < bytes.count
            let digits =
                isEscape ? String(decoding: bytes[(place + 2)...(place + 3)], as: UTF8.self) : ""
            if let byte = UInt8(digits, radix: 16) {
                result.append(byte)
                place += 4
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }
}
