extension SecretScanner {
    /// Minimum length of a part between other characters than letters and digits, in bytes: of one
    /// that looks like words, and of any other.
    private static let (partWordsMin, partBytesMin) = (16, 8)
    /// Maximum number of marks around a part, such as a quote after a bracket.
    private static let marksMax = 64

    /// Adds the ranges of parts of secrets inside lines, such as in a table or in a message that quotes
    /// only the beginning of a word.
    mutating func addParts(_ bytes: [UInt8], to found: inout [Range<Int>]) {
        for index in secrets.indices where secrets[index].hasParts {
            let letters = secrets[index].occurring
            var offset = 0
            while offset + 1 < bytes.count {
                guard letters.contains(bytes[offset]), letters.contains(bytes[offset + 1]),
                    offset == 0 || !ASCIIText.isWord(bytes[offset - 1])
                        || !ASCIIText.isWord(bytes[offset])
                else {
                    offset += 1
                    continue
                }
                let part = secrets.span[index].longestPart(in: bytes, at: offset, &steps)
                let range = offset..<offset + part.count
                if Self.isPart(bytes, range), secrets.span[index].isDivided(by: part) {
                    found.append(range)
                    offset = range.upperBound
                } else {
                    offset += 1
                }
            }
        }
    }

    /// Returns true if the range is enough of a secret, and the text around it does not continue it.
    private static func isPart(
        _ bytes: [UInt8], _ range: Range<Int>
    ) -> Bool {
        guard SecretSpelling.isLongEnough(bytes[range]),
            range.upperBound == bytes.count || !ASCIIText.isWord(bytes[range.upperBound])
                || !ASCIIText.isWord(bytes[range.upperBound - 1])
        else { return false }
        let text = bytes[range]
        if text.allSatisfy({ !ASCIIText.isLetter($0) }) { return false }
        let isWords =
            !text.contains(where: ASCIIText.isDigit)
            && text.allSatisfy {
                ASCIIText.isLetter($0) || wordMarks.contains($0)
            }
        if range.count >= (isWords ? partWordsMin : partBytesMin) { return true }
        return isStart(bytes, range.lowerBound) && isEnd(bytes, range.upperBound)
    }

    private static let wordMarks = Set("-_.' ".utf8)

    /// Returns true at the start of a text, a line, a cell of a table, a quoted text or the last
    /// argument of a line in IRC.
    private static func isStart(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let before = bytes[max(0, offset - marksMax)..<offset].reversed()
            .drop { $0 == UInt8(ascii: " ") }
        guard let mark = before.first else { return offset <= marksMax }
        return edges.contains(mark) || mark == UInt8(ascii: ":") || ASCIIText.isLineEnd(mark)
    }

    private static func isEnd(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let after = bytes[offset..<min(bytes.count, offset + marksMax)]
            .drop { $0 == UInt8(ascii: " ") }
        guard let mark = after.first else { return bytes.count - offset <= marksMax }
        return edges.contains(mark) || ASCIIText.isLineEnd(mark)
    }

    /// Quotes, bars, and the ends of UTF-8 sequences such as `│` and `…`.
    private static let edges = Set("\"'`|".utf8).union([0x82, 0xA6, 0xE2])
}
