extension SecretScanner {
    /// Maximum number of bytes between two characters in a list, as in `'a', 'b'`.
    private static let separatorMax = 4

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, UInt8(ascii: ","), UInt8(ascii: "'"), UInt8(ascii: "\""): true
        default: false
        }
    }

    /// Adds the ranges of secrets in lists of single characters: `[a, b, c]` or `['a', 'b', 'c']`.
    mutating func addCharacters(_ bytes: [UInt8], _ depth: Int, to found: inout [Range<Int>]) {
        var characters: [UInt8] = []
        var offset = 0
        while offset + 2 < bytes.count {
            let start = offset
            offset += 1
            var end = start + 1
            while end < bytes.count, end <= start + Self.separatorMax, Self.isSeparator(bytes[end])
            {
                end += 1
            }
            // The separators between the first two characters must be repeated.
            let count = end - start - 1
            guard count > 0, !Self.isSeparator(bytes[start]), end + count < bytes.count,
                Self.isSame(bytes, start + 1, end + 1, count: count)
            else { continue }
            characters.removeAll(keepingCapacity: true)
            var next = start
            while next < bytes.count {
                characters.append(bytes[next])
                let separator = next + 1
                guard separator + count < bytes.count,
                    Self.isSame(bytes, start + 1, separator, count: count)
                else { break }
                next = separator + count
            }
            offset = next + 1
            guard characters.count >= SecretSpelling.encodedBytesMin else { continue }
            for range in ranges(in: characters, depth: depth + 1) {
                let lower = start + range.lowerBound * (count + 1)
                found.append(lower..<start + (range.upperBound - 1) * (count + 1) + 1)
            }
        }
    }

    private static func isSame(
        _ bytes: [UInt8], _ one: Int, _ other: Int, count: Int
    ) -> Bool {
        for index in 0..<count where bytes[one + index] != bytes[other + index] { return false }
        return true
    }
}
