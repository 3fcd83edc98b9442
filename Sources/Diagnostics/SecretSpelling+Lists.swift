extension ListItem {
    /// Returns true if there are quotes, brackets or bars around the item.
    /// A special character may be between them.
    func isEnclosed(in bytes: [UInt8]) -> Bool {
        func isMark(_ offset: Int) -> Bool {
            bytes.indices.contains(offset) && Self.enclosing.contains(bytes[offset])
        }
        func isOther(_ offset: Int) -> Bool {
            bytes.indices.contains(offset) && !ASCIIText.isWord(bytes[offset])
        }
        let (before, after) = (word.lowerBound - 1, word.upperBound)
        return (isMark(before) || isOther(before) && isMark(before - 1))
            && (isMark(after) || isOther(after) && isMark(after + 1))
    }

    func isPunctuation(in bytes: [UInt8]) -> Bool {
        LooseCharacters.isLoose(bytes[range.lowerBound])
    }

    private static let enclosing = Set("\"'`()[]{}<>|".utf8)
}

extension SecretSpelling {
    /// Maximum number of special characters that may be missing between two items, in bytes.
    private static let skippedSpecialsMax = 16

    /// Returns the bytes with which an item can continue a list, or repeat its last item.
    func expected(at letter: Int) -> SecretBytes {
        var found = SecretBytes()
        if letter > 0 { found.insert(letters[letter - 1], isFolded: isFolded) }
        for index in letter..<min(letterCount, letter + Self.skippedSpecialsMax + 1) {
            found.insert(letters[index], isFolded: isFolded)
            if !isSpecial(index) { break }
        }
        return found
    }

    /// Returns the text between two items without the special characters of the secret between them,
    /// if it starts or ends with those.
    func withoutSpecial(
        _ bytes: [UInt8], _ gap: Range<Int>, from letter: Int
    ) -> Range<Int> {
        var end = letter
        while end < letterCount, isSpecial(end), end - letter < Self.skippedSpecialsMax { end += 1 }
        let count = min(end - letter, gap.count)
        let first = (0..<count).prefix { isLetter(letter + $0, bytes[gap.lowerBound + $0]) }.count
        let last = (0..<count - first).prefix {
            isLetter(end - 1 - $0, bytes[gap.upperBound - 1 - $0])
        }.count
        return gap.lowerBound + first..<gap.upperBound - last
    }

    /// Returns the number of special characters at a position of the secret.
    func specials(from letter: Int) -> Int {
        (letter..<letterCount).prefix(Self.skippedSpecialsMax).prefix(while: isSpecial).count
    }

    /// Returns true if only special characters follow.
    func hasOnlySpecial(from letter: Int) -> Bool {
        (letter..<letterCount).allSatisfy(isSpecial)
    }

    /// Returns the part of the secret that the item represents; nil if it is something else.
    ///
    /// - Parameters:
    ///   - letter: Index of the secret's next byte.
    ///   - notations: The notations that a number may have.
    func step(
        _ letter: Int, _ item: ListItem, in bytes: [UInt8], _ notations: ListItem.Notations,
        skipsSpecial: Bool
    ) -> ListStep? {
        for index in 0..<item.count {
            let reading = item[index]
            let notations = notations.intersection(reading.notations)
            if notations.isEmpty { continue }
            var first = letter
            while first < letterCount {
                if let end = end(of: reading, at: first, mayBeMore: first == letter) {
                    return ListStep(
                        letter: end, count: end - first, notations: notations,
                        divisions: divisions(at: first))
                }
                guard skipsSpecial, isSpecial(first), first - letter < Self.skippedSpecialsMax
                else {
                    break
                }
                first += 1
            }
        }
        guard skipsSpecial, isPossibleWord(item, in: bytes) else { return nil }
        return wordStep(letter, item, in: bytes, notations)
    }

    /// Returns the index after the bytes that a value represents: a byte, a character outside ASCII, or
    /// several bytes.
    private func end(of reading: ListItem.Reading, at letter: Int, mayBeMore: Bool) -> Int? {
        if reading.count == 1, isLetter(letter, reading.byte(0, isReversed: false)) {
            return letter + 1
        }
        if let utf8 = reading.utf8, letters[letter...].starts(with: utf8) {
            return letter + utf8.count
        }
        return reading.count > 1 && mayBeMore ? end(of: reading, from: 0, letter) : nil
    }

    /// Returns a measure of how certain it is that a part that begins at a byte is not one of the words
    /// of the secret: 2 between letters, 1 between other characters of a word, 0 between words.
    private func divisions(at letter: Int) -> Int {
        guard letter > 0, ListItem.isWord(letters[letter - 1]), ListItem.isWord(letters[letter])
        else { return 0 }
        return ASCIIText.isDigit(letters[letter - 1]) || ASCIIText.isDigit(letters[letter]) ? 1 : 2
    }

    /// Returns true if the item may be a part of the secret with several characters.
    func isPossibleWord(_ item: ListItem, in bytes: [UInt8]) -> Bool {
        isFolded && item.word.count > 1 && item.word.count < letterCount && !isNumber
            && occurring.contains(bytes[item.word.lowerBound])
            && occurring.contains(bytes[item.word.lowerBound + 1])
    }

    private func wordStep(
        _ letter: Int, _ item: ListItem, in bytes: [UInt8], _ notations: ListItem.Notations
    ) -> ListStep? {
        var first = letter
        while first + item.word.count <= letterCount {
            if item.word.allSatisfy({ isLetter(first + $0 - item.word.lowerBound, bytes[$0]) }) {
                return ListStep(
                    letter: first + item.word.count, count: item.word.count, notations: notations,
                    isWord: !item.isScalar, divisions: divisions(at: first))
            }
            guard isSpecial(first), first - letter < Self.skippedSpecialsMax else { return nil }
            first += 1
        }
        return nil
    }

    /// Returns the part of the secret that begins at a letter and that the item represents. The first
    /// bytes of a number may come before the secret.
    func begin(at letter: Int, in item: ListItem, _ bytes: [UInt8]) -> ListStep? {
        if let step = step(letter, item, in: bytes, .character, skipsSpecial: letter == 0) {
            return step
        }
        guard letter == 0 else { return nil }
        for index in 0..<item.count where item[index].count > 1 {
            for position in 1..<item[index].count {
                if let end = end(of: item[index], from: position, 0) {
                    return ListStep(letter: end, count: end, notations: item[index].notations)
                }
            }
        }
        return nil
    }

    /// Compares the bytes of a number, in either order, with those of the secret, except for zero
    /// bytes. The last bytes may come after the secret. Returns the index of the secret's next byte.
    private func end(of reading: ListItem.Reading, from start: Int, _ letter: Int) -> Int? {
        for isReversed in [true, false] {
            var end = letter
            let isSame = (start..<reading.count).allSatisfy { position in
                let byte = reading.byte(position, isReversed: isReversed)
                if byte == 0 || end == letterCount { return true }
                end += 1
                return isLetter(end - 1, byte)
            }
            if isSame, end > letter { return end }
        }
        return nil
    }
}
