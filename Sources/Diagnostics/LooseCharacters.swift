/// The characters of a secret that encoders replace: everything except letters, digits and the
/// punctuation `-._~`.
///
/// There are more ways to write them than could be listed: doubled quotes in SQL, `\26` in LDAP,
/// `#303#251` in syslog, `|0x00e9` in TeamCity. So any text between the other characters of a secret
/// counts as a spelling of them, up to a limit.
struct LooseCharacters: Sendable {
    /// Minimum number of the other characters in a secret.
    private static let anchorsMin = 6
    /// Maximum number of bytes that stand for one character, and for several in a row.
    private static let (bytesMax, rowBytesMax) = (16, 48)
    /// Maximum number of letters and digits in one escape sequence at the end of a secret.
    private static let sequenceMax = 8

    private let letters: [UInt8]
    /// True if the secret is long enough.
    let isPossible: Bool

    init(_ letters: [UInt8], isFolded: Bool) {
        self.letters = letters
        let anchors = letters.count { !Self.isLoose($0) }
        isPossible = isFolded && anchors >= Self.anchorsMin && anchors < letters.count
    }

    private static func isLoose(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): false
        default: !ASCIIText.isLetter(byte) && !ASCIIText.isDigit(byte)
        }
    }

    /// Returns true if the character at this index or the one before it may be replaced.
    func isNear(_ letter: Int) -> Bool {
        isPossible && letter > 0
            && (letter < letters.count && Self.isLoose(letters[letter])
                || Self.isLoose(letters[letter - 1]))
    }

    /// Reads whatever stands for the characters in a row at this index or before it, and the
    /// characters up to the next row. Returns the index and the offset after them; nil if the text
    /// does not continue with the secret.
    func next(
        _ letter: Int, in bytes: [UInt8], at offset: Int
    ) -> (letter: Int, offset: Int)? {
        guard isNear(letter) else { return nil }
        var first = letter
        while first > 0, Self.isLoose(letters[first - 1]) { first -= 1 }
        var anchor = letter
        while anchor < letters.count, Self.isLoose(letters[anchor]) { anchor += 1 }
        // Bytes that continue a character in UTF-8 do not count.
        let count = letters[first..<anchor].count { $0 & 0xC0 != 0x80 }
        let limit = min(bytes.count, offset + min(count * Self.bytesMax, Self.rowBytesMax))
        if anchor == letters.count {
            return (anchor, Self.endOfSequences(in: bytes, from: offset, to: limit))
        }
        var end = anchor
        while end < letters.count, !Self.isLoose(letters[end]) { end += 1 }
        var start = offset
        while start <= limit, start + end - anchor <= bytes.count {
            let isFound = (anchor..<end).allSatisfy {
                Self.isSame(bytes[start + $0 - anchor], letters[$0])
            }
            if isFound { return (end, start + end - anchor) }
            if Self.isBoundary(bytes, start) { return nil }
            start += 1
        }
        return nil
    }

    /// Returns true at the end of a line, of a value in JSON or of an element in HTML, which cannot be
    /// part of a secret.
    private static func isBoundary(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        return switch bytes[offset] {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        case UInt8(ascii: "<"): next == UInt8(ascii: "/")
        case UInt8(ascii: "\""):
            next == UInt8(ascii: ",") || next == UInt8(ascii: ":") || next == UInt8(ascii: "}")
                || next == UInt8(ascii: "]")
        default: false
        }
    }

    private static func isSame(_ byte: UInt8, _ letter: UInt8) -> Bool {
        byte == letter || ASCIIText.isLetter(letter) && byte ^ 0x20 == letter
    }

    /// Returns the end of the escape sequences and of the text outside ASCII that start at the
    /// offset. Quotes, brackets and commas end them, because they may belong to the text around the
    /// secret.
    private static func endOfSequences(
        in bytes: [UInt8], from start: Int, to limit: Int
    ) -> Int {
        var offset = start
        while offset < limit {
            switch bytes[offset] {
            case UInt8(ascii: "\\"):
                offset += 1
                if offset < limit, !ASCIIText.isLineEnd(bytes[offset]) { offset += 1 }
            case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "+"),
                UInt8(ascii: "="), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), 0x80...:
                offset += 1
            default: return offset
            }
            let end = min(limit, offset + sequenceMax)
            while offset < end,
                ASCIIText.isLetter(bytes[offset]) || ASCIIText.isDigit(bytes[offset])
            {
                offset += 1
            }
            if offset < limit, bytes[offset] == UInt8(ascii: ";") { offset += 1 }
        }
        return offset
    }
}
