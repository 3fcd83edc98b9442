/// UTF-8 validation (RFC 3629 §4).
package enum UTF8Check {
    /// Returns the index of the first byte that is not part of a valid character, or nil.
    package static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        var index = 0
        while index < bytes.count {
            let length = length(bytes, index)
            if length == 0 { return index }
            index += length
        }
        return nil
    }

    /// Returns the length of the character at `index`; 0 if it is invalid.
    private static func length(_ bytes: [UInt8], _ index: Int) -> Int {
        /// The length, and the values allowed for the second byte.
        let (length, second): (Int, ClosedRange<UInt8>)
        switch bytes[index] {
        case 0...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
        for next in (index + 2)..<max(index + 2, index + length)
        where bytes[next] & 0xC0 != 0x80 {
            return 0
        }
        return length
    }
}
