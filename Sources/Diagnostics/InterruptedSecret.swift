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
    func interruptedEnd(in bytes: [UInt8], from start: Int, after first: Int) -> Int? {
        guard isFolded, first >= Self.fragmentMin else { return nil }
        var (letter, offset) = (first, start)
        while letter < letterCount {
            guard let next = afterInterruption(bytes, from: offset, letter: letter) else {
                return nil
            }
            (letter, offset) = (letter + Self.fragmentMin, next + Self.fragmentMin)
            while letter < letterCount, offset < bytes.count, isLetter(letter, bytes[offset]) {
                letter += 1
                offset += 1
            }
        }
        return offset
    }

    /// Returns the offset of the next part of the secret. Spaces, letters and digits do not begin an
    /// interruption, because they would be ordinary text.
    private func afterInterruption(_ bytes: [UInt8], from start: Int, letter: Int) -> Int? {
        guard letterCount - letter >= Self.fragmentMin, start < bytes.count,
            bytes[start] != UInt8(ascii: " "), !ASCIIText.isLetter(bytes[start]),
            !ASCIIText.isDigit(bytes[start])
        else { return nil }
        let limit = min(start + Self.interruptionMax, bytes.count - Self.fragmentMin)
        var offset = start
        while offset <= limit {
            if (0..<Self.fragmentMin).allSatisfy({ isLetter(letter + $0, bytes[offset + $0]) }) {
                return LooseCharacters.isWords(bytes[start..<offset]) ? nil : offset
            }
            // A closing tag may interrupt a secret.
            if bytes[offset] != UInt8(ascii: "<"), LooseCharacters.isBoundary(bytes, offset) {
                return nil
            }
            offset += 1
        }
        return nil
    }
}
