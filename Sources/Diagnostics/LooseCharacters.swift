/// The characters of a secret that encoders replace: everything except letters and digits in ASCII.
///
/// No list of replacements could be complete: SQL doubles quotes, LDAP writes `\26`, syslog
/// `#303#251`, TeamCity `|0x00e9`. So any text between the other characters counts as a replacement,
/// up to a limit.
struct LooseCharacters: Sendable {
    /// Minimum number of the other characters in a secret.
    private static let anchorsMin = 6
    /// Maximum length of a replacement, in bytes, for one character and for a run of characters.
    private static let (bytesMax, runBytesMax) = (16, 48)
    /// Maximum number of letters and digits in one escape sequence at the end of a secret.
    private static let sequenceMax = 8

    /// Maximum length of the secret, in bytes. Long runs of special characters would take too long.
    private static let lettersMax = 4_096

    private let letters: [UInt8]
    /// True if the secret has a suitable length.
    let isPossible: Bool

    init(_ letters: [UInt8], isFolded: Bool) {
        self.letters = letters
        let anchors = letters.count { !Self.isLoose($0) }
        isPossible =
            isFolded && anchors >= Self.anchorsMin && anchors < letters.count
            && letters.count <= Self.lettersMax
    }

    /// Returns the secret without such characters at its start, since what replaces them cannot be
    /// found; nil if there are none, or the rest is too short.
    static func afterFirst(_ secret: [UInt8]) -> [UInt8]? {
        let rest = secret.drop(while: isLoose)
        let isLongEnough =
            rest.count >= SecretSpelling.foldedBytesMin
            && rest.count(where: { !isLoose($0) }) >= anchorsMin
        return isLongEnough && rest.count < secret.count ? Array(rest) : nil
    }

    static func isLoose(_ byte: UInt8) -> Bool {
        !ASCIIText.isWord(byte)
    }

    /// True if the first or the second character may be replaced.
    var isAtStart: Bool { isPossible && isNear(1) }

    /// Returns the end of the secret in a text where only these characters are written differently;
    /// nil if the text is different.
    func end(in bytes: [UInt8], from start: Int) -> Int? {
        guard isPossible, let end = firstEnd(in: bytes, from: start) else { return nil }
        // If the secret may also begin later, the text before that does not belong to it.
        let beginsLater = (start + 1..<end).contains { later in
            Self.isSame(bytes[later], letters[0]) && firstEnd(in: bytes, from: later) == end
        }
        return beginsLater ? nil : end
    }

    /// Returns the end of the secret with the shortest replacements.
    private func firstEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var (letter, offset) = (0, start)
        while letter < letters.count {
            if isNear(letter) {
                guard let next = next(letter, in: bytes, at: offset) else { return nil }
                (letter, offset) = next
            } else {
                guard offset < bytes.count, Self.isSame(bytes[offset], letters[letter]) else {
                    return nil
                }
                (letter, offset) = (letter + 1, offset + 1)
            }
        }
        return offset
    }

    /// Returns true if the character at this index or the one before it may be replaced.
    private func isNear(_ letter: Int) -> Bool {
        letter > 0
            && (letter < letters.count && Self.isLoose(letters[letter])
                || Self.isLoose(letters[letter - 1]))
    }

    /// Skips the replacement of the run of loose characters at or just before the index, and matches
    /// the characters up to the next run. Returns the index and the offset after them; nil if the
    /// text does not continue with the secret.
    private func next(
        _ letter: Int, in bytes: [UInt8], at offset: Int
    ) -> (letter: Int, offset: Int)? {
        var first = letter
        while first > 0, Self.isLoose(letters[first - 1]) { first -= 1 }
        var anchor = letter
        while anchor < letters.count, Self.isLoose(letters[anchor]) { anchor += 1 }
        // Bytes that continue a character in UTF-8 do not count.
        let count = letters[first..<anchor].count { $0 & 0xC0 != 0x80 }
        let limit = min(bytes.count, offset + min(count * Self.bytesMax, Self.runBytesMax))
        if anchor == letters.count {
            let literal = zip(letters[letter...], bytes[offset...]).prefix { $0 == $1 }.count
            let end = Self.endOfSequences(in: bytes, from: offset + literal, to: limit)
            // Without a replacement, the text is part of a longer word; a letter may replace another
            // one that is outside ASCII.
            let isWord =
                end == offset && end < bytes.count && !Self.isLoose(bytes[end])
                && letters[letter...].allSatisfy { $0 < 0x80 }
            return isWord ? nil : (anchor, end)
        }
        var end = anchor
        while end < letters.count, !Self.isLoose(letters[end]) { end += 1 }
        var start = offset
        while start <= limit, start + end - anchor <= bytes.count {
            let isFound = (anchor..<end).allSatisfy {
                Self.isSame(bytes[start + $0 - anchor], letters[$0])
            }
            if isFound {
                let replacement = bytes[offset..<start]
                let isSpelling =
                    !Self.hasSpaces(replacement) && !Self.isText(replacement)
                    || replacement.elementsEqual(letters[letter..<anchor])
                return isSpelling ? (end, start + end - anchor) : nil
            }
            // Replacements do not begin with letters or digits.
            if Self.isBoundary(bytes, start) || !Self.isLoose(bytes[offset]) { return nil }
            start += 1
        }
        return nil
    }

    /// Returns true for text with spaces, except for names such as `{GREATER-THAN SIGN}` and the space
    /// that ends an escape sequence in CSS, such as `\26 `.
    private static func hasSpaces(_ text: ArraySlice<UInt8>) -> Bool {
        let isEscape = text.first == UInt8(ascii: "\\")
        return (isEscape ? text.dropLast() : text).contains(UInt8(ascii: " "))
            && !text.contains(UInt8(ascii: "{"))
    }

    /// Returns true for words or numbers after a punctuation mark that begins no escape sequence, as in
    /// `!~user@10.0.0.1`.
    private static func isText(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, text.contains(where: ASCIIText.isWord) else { return false }
        return switch first {
        case UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "("),
            UInt8(ascii: ")"):
            true
        default: false
        }
    }

    /// Returns true for ordinary words with spaces between them.
    static func isWords(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains(UInt8(ascii: " "))
            && text.allSatisfy {
                ASCIIText.isLetter($0) || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",")
                    || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
            }
    }

    /// Returns true at the end of a line, of a value in JSON or of an element in HTML, which cannot be
    /// part of a secret.
    static func isBoundary(_ bytes: [UInt8], _ offset: Int) -> Bool {
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
            default:
                // A letter with combining accents.
                guard ASCIIText.isLetter(bytes[offset]), offset + 2 < limit,
                    bytes[offset + 1] & 0xFE == 0xCC
                else { return offset }
                offset += 3
                continue
            }
            let end = min(limit, offset + sequenceMax)
            while offset < end, ASCIIText.isWord(bytes[offset]) { offset += 1 }
            if offset < limit, bytes[offset] == UInt8(ascii: ";") { offset += 1 }
        }
        return offset
    }
}
