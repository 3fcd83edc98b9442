/// A pattern for names: `*` and `?` match within a folder, `**` across folders, `[a-z]` and `[!a-z]`
/// one character of a set.
struct Glob: Sendable {
    private enum Part: Sendable {
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

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // The places in the text that the parts so far can have come to.
        var places: Set<Int> = [0]
        for part in parts {
            var next: Set<Int> = []
            for place in places { next.formUnion(Self.places(after: part, from: place, in: bytes)) }
            if next.isEmpty { return false }
            places = next
        }
        return places.contains(bytes.count)
    }

    private static func places(after part: Part, from place: Int, in bytes: [UInt8]) -> [Int] {
        switch part {
        case .all: return Array(place...bytes.count)
        case .many:
            let end = bytes[place...].firstIndex(of: slash) ?? bytes.count
            return Array(place...end)
        case .one(let byte): return place < bytes.count && bytes[place] == byte ? [place + 1] : []
        case .any: return place < bytes.count && bytes[place] != slash ? [place + 1] : []
        case .set(let ranges, let isNegated):
            guard place < bytes.count, bytes[place] != slash else { return [] }
            let isInside = ranges.contains { $0.contains(bytes[place]) }
            return isInside != isNegated ? [place + 1] : []
        }
    }
}
