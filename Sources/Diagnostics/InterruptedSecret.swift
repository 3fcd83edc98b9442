extension SecretSpelling {
    /// Minimum length of each part of an interrupted secret, in bytes.
    private static let fragmentMin = 3
    /// Maximum length of an interruption, in bytes.
    private static let interruptionMax = 48

    /// Returns the end of the secret in a text where other text interrupts it, such as the colour
    /// codes of a terminal, an HTML element, or the end of one string and the start of the next; nil
    /// if the text is different.
    ///
    /// - Parameters:
    ///   - first: Number of the secret's bytes before the offset.
    func interruptedEnd(
        in reader: inout EscapeReader, from start: Int, after first: Int
    ) -> Int? {
        guard isFolded else { return nil }
        var (letter, offset) = spelledEnd(in: &reader, from: start, letter: first)
        guard letter >= Self.fragmentMin else { return nil }
        while letter < letterCount {
            guard let next = afterInterruption(&reader, from: offset, letter: letter) else {
                return nil
            }
            (letter, offset) = spelledEnd(in: &reader, from: next, letter: letter)
        }
        return offset
    }

    /// Returns the index of the secret's next byte and the offset after the bytes of the secret that
    /// follow at an offset.
    func spelledEnd(
        in reader: inout EscapeReader, from start: Int, letter first: Int
    ) -> (letter: Int, offset: Int) {
        var (letter, offset) = (first, start)
        while letter < letterCount, offset < reader.bytes.count {
            guard EscapeReader.isSpecial(reader.bytes[offset]) else {
                guard isLetter(letter, reader.bytes[offset]) else { break }
                (letter, offset) = (letter + 1, offset + 1)
                continue
            }
            let characters = reader.characters(at: offset)
            var (count, end) = (0, offset)
            // A character may be escaped with itself, as in `&amp;`.
            for index in 0..<characters.count where characters[index].end > end {
                let length = length(of: characters[index], at: letter)
                if length > 0 { (count, end) = (length, characters[index].end) }
            }
            if count == 0 { break }
            (letter, offset) = (letter + count, end)
        }
        return (letter, offset)
    }

    /// Returns the offset of the next part of the secret. Spaces, letters and digits do not begin an
    /// interruption, because they would be ordinary text.
    private func afterInterruption(
        _ reader: inout EscapeReader, from start: Int, letter: Int
    ) -> Int? {
        let bytes = reader.bytes
        guard letterCount - letter >= Self.fragmentMin, start > 0, start < bytes.count,
            bytes[start] != UInt8(ascii: " "), !ASCIIText.isWord(bytes[start])
        else { return nil }
        let limit = min(start + Self.interruptionMax, bytes.count - Self.fragmentMin)
        var hasLineEnd = false
        var offset = start
        while offset <= limit {
            // Only the first of several backslashes can start an escape sequence.
            let isEscape =
                EscapeReader.isSpecial(bytes[offset]) && bytes[offset] != bytes[offset - 1]
            if isLetter(letter, bytes[offset]) || isEscape,
                spelledEnd(in: &reader, from: offset, letter: letter).letter
                    >= letter + Self.fragmentMin
            {
                let text = bytes[start..<offset]
                let isOther = LooseCharacters.isWords(text) || hasLineEnd && !Self.joinsLines(text)
                return isOther ? nil : offset
            }
            // A closing tag or the end of a line may interrupt a secret.
            if ASCIIText.isLineEnd(bytes[offset]) {
                hasLineEnd = true
            } else if bytes[offset] != UInt8(ascii: "<"),
                LooseCharacters.isBoundary(bytes, offset)
            {
                return nil
            }
            offset += 1
        }
        return nil
    }

    /// Returns true for the end of a string or of encoded text in one line and the start of another one
    /// in the next line: `' + \n b'` or `?=\n =?utf-8?q?`.
    private static func joinsLines(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, text.count(where: { $0 == 0x0A }) <= 1 else { return false }
        let isEncoded = text.starts(with: "?=".utf8) && text.contains("=?".utf8)
        return isEncoded
            || strings.contains(first) && text.count(where: ASCIIText.isWord) <= prefixMax
    }

    /// Bytes that end a string, or the part of it in a line.
    private static let strings = Set("\"'`\\".utf8)
    /// Maximum number of letters before a string, such as `b'`.
    private static let prefixMax = 2
}
