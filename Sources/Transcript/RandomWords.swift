import LineProtocol

/// Words that are probably different in every run, because a server made them up.
package enum RandomWords {
    private static let bytesMin = 12

    /// Returns true for a long mix of letters and digits.
    package static func isRandom(_ word: some Collection<UInt8>) -> Bool {
        let digits = word.count(where: ASCII.isDigit)
        return word.count >= bytesMin && digits >= 3 && digits < word.count
    }

    /// Returns the ranges of the UUIDs in a value, such as `1432904b-4ed9-4c1e-9a0d-2f6c0e8b7a51`.
    package static func uuids(in value: ArraySlice<UInt8>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = value.startIndex
        while value.endIndex - start >= uuidBytes {
            let range = start..<start + uuidBytes
            let isAlone =
                (start == value.startIndex || !isWordByte(value[start - 1]))
                && (range.upperBound == value.endIndex || !isWordByte(value[range.upperBound]))
            if isAlone, isUUID(value[range]) {
                result.append(range)
                start = range.upperBound
            } else {
                start += 1
            }
        }
        return result
    }

    private static let uuidBytes = 36

    private static func isUUID(_ value: ArraySlice<UInt8>) -> Bool {
        value.enumerated().allSatisfy { offset, byte in
            switch offset {
            case 8, 13, 18, 23: byte == ASCII.minus
            default: ASCII.hexValue(byte) != nil
            }
        }
    }
}
