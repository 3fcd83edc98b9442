/// A pattern for names: `*` and `?` match within a folder, `**` across folders, `[a-z]` and `[!a-z]`
/// one character of a set.
struct Glob: Sendable {
    fileprivate enum Part: Sendable {
        case one(UInt8)
        case any
        /// `*`
        case many
        /// `**`, or `**/`, which also matches nothing.
        case all
        case set([ClosedRange<UInt8>], isNegated: Bool)
    }

    private static let slash = UInt8(ascii: "/")

    private var parts: [Part] = []

    /// Whether a text has any of the special characters.
    static func isPattern(_ text: String) -> Bool { text.utf8.contains { "*?[".utf8.contains($0) } }

    init(_ pattern: String) {
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                guard rest.first == UInt8(ascii: "*") else {
                    parts.append(.many)
                    continue
                }
                rest.removeFirst()
                if rest.first == Self.slash { rest.removeFirst() }
                parts.append(.all)
            case UInt8(ascii: "?"): parts.append(.any)
            case UInt8(ascii: "["): parts.append(Self.set(&rest))
            default: parts.append(.one(byte))
            }
        }
    }

    /// What follows `[`; one that is never closed stands for itself.
    private static func set(_ rest: inout ArraySlice<UInt8>) -> Part {
        guard let close = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
            return .one(UInt8(ascii: "["))
        }
        var inside = rest[rest.startIndex..<close]
        rest = rest[(close + 1)...]
        let isNegated = inside.first == UInt8(ascii: "!") || inside.first == UInt8(ascii: "^")
        if isNegated { inside.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        while let low = inside.popFirst() {
            if inside.count >= 2, inside.first == UInt8(ascii: "-") {
                inside.removeFirst()
                let high = inside.removeFirst()
                if low <= high { ranges.append(low...high) }
            } else {
                ranges.append(low...low)
            }
        }
        return .set(ranges, isNegated: isNegated)
    }

    /// Whether the whole text matches. Takes as many steps as pattern and text have together in a
    /// table, whatever the pattern.
    func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // Whether the parts so far can have come to each place in the text.
        var reached = [Bool](repeating: false, count: bytes.count + 1)
        reached[0] = true
        for part in parts { reached = Self.places(after: part, from: reached, in: bytes) }
        return reached[bytes.count]
    }

    private static func places(after part: Part, from reached: [Bool], in bytes: [UInt8]) -> [Bool]
    {
        var next = [Bool](repeating: false, count: reached.count)
        switch part {
        case .all, .many:
            var isOpen = false
            for place in reached.indices {
                if case .many = part, place > 0, bytes[place - 1] == slash { isOpen = false }
                isOpen = isOpen || reached[place]
                next[place] = isOpen
            }
        case .one, .any, .set:
            for place in bytes.indices where reached[place] {
                next[place + 1] = part.takes(bytes[place])
            }
        }
        return next
    }
}

extension Glob.Part {
    /// Whether it stands for this byte; only asked of those that stand for one.
    fileprivate func takes(_ byte: UInt8) -> Bool {
        switch self {
        case .one(let wanted): byte == wanted
        case .any: byte != UInt8(ascii: "/")
        case .set(let ranges, let isNegated):
            byte != UInt8(ascii: "/") && ranges.contains { $0.contains(byte) } != isNegated
        case .many, .all: false
        }
    }
}
