extension SecretScanner {
    /// Adds the ranges of parts of secrets inside lines, such as in a table or in a message that quotes
    /// only the beginning of a word.
    mutating func addParts(_ reader: inout EscapeReader, to found: inout [Range<Int>]) {
        let bytes = reader.bytes
        for index in secrets.indices where secrets[index].hasParts {
            let letters = secrets[index].occurring
            var offset = 0
            while offset + 1 < bytes.count {
                let (byte, next) = (bytes[offset], bytes[offset + 1])
                let isLetter =
                    letters.contains(byte) && byte != UInt8(ascii: " ")
                    && (letters.contains(next) || EscapeReader.isSpecial(next))
                // Only the first of several backslashes starts an escape sequence.
                let isEscape =
                    EscapeReader.isSpecial(byte) && (offset == 0 || bytes[offset - 1] != byte)
                guard
                    isLetter
                        || isEscape
                            && reader.characters(at: offset).contains(where: letters.contains),
                    offset == 0 || !ASCIIText.isWord(bytes[offset - 1]) || !ASCIIText.isWord(byte)
                else {
                    offset += 1
                    continue
                }
                let (part, end) = secrets.span[index].longestPart(in: &reader, at: offset)
                steps += secrets.span[index].letterCount
                if secrets.span[index].isFound(part, bytes, offset..<end) {
                    found.append(offset..<end)
                    offset = end
                } else {
                    offset += 1
                }
            }
        }
    }
}

extension SecretSpelling {
    /// Returns true if a part of the secret is long enough, and the text around it does not continue
    /// its words.
    fileprivate func isFound(_ part: Range<Int>, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard isLongEnough(part), isDivided(by: part),
            range.upperBound == bytes.count || !ASCIIText.isWord(bytes[range.upperBound])
                || !ASCIIText.isWord(bytes[range.upperBound - 1])
        else { return false }
        let text = letters[part]
        if text.allSatisfy({ !ASCIIText.isLetter($0) }) { return false }
        let isWords =
            !text.contains(where: ASCIIText.isDigit)
            && text.allSatisfy { ASCIIText.isLetter($0) || Self.wordMarks.contains($0) }
        if part.count >= (isWords ? Self.innerWordsMin : Self.innerBytesMin) { return true }
        return Self.isStart(bytes, range.lowerBound) && Self.isEnd(bytes, range.upperBound)
    }

    /// Minimum length of a part between other characters than letters and digits, in bytes: of one
    /// that looks like words, and of any other.
    private static let (innerWordsMin, innerBytesMin) = (16, 8)
    /// Maximum number of marks around a part, such as a quote after a bracket.
    private static let marksMax = 64

    private static let wordMarks = Set("-_.' ".utf8)

    /// Returns true at the start of a text, a line, a cell of a table, a quoted text or the last
    /// argument of a line in IRC.
    private static func isStart(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let start = max(0, offset - marksMax)
        if isColumn(bytes[start..<offset].suffix(2)) { return true }
        let before = bytes[start..<offset].reversed().drop { $0 == UInt8(ascii: " ") }
        guard let mark = before.first else { return offset <= marksMax }
        return edges.contains(mark) || mark == UInt8(ascii: ":") || ASCIIText.isLineEnd(mark)
    }

    private static func isEnd(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let rest = bytes[offset..<min(bytes.count, offset + marksMax)]
        if isColumn(rest.prefix(2)) { return true }
        guard let mark = rest.drop(while: { $0 == UInt8(ascii: " ") }).first else {
            return bytes.count - offset <= marksMax
        }
        return edges.contains(mark) || ASCIIText.isLineEnd(mark)
    }

    /// Returns true for two spaces, which separate the columns of a table.
    private static func isColumn(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 2 && bytes.allSatisfy { $0 == UInt8(ascii: " ") }
    }

    /// Quotes, bars, and the ends of UTF-8 sequences such as `│` and `…`.
    private static let edges = Set("\"'`|".utf8).union([0x82, 0xA6, 0xE2])
}
