/// Comparison of names without regard to case, as in IRC.
enum NameFolding {
    static func folded(_ name: [UInt8]) -> [UInt8] {
        name.map(folded)
    }

    static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { folded($0) == folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= 0x40 && byte < 0x80 ? byte | 0x20 : byte
    }
}
