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
    /// Returns the bytes with which an item can continue a list, or repeat its last item.
    func expected(at letter: Int) -> ByteSet {
        var found = ByteSet()
        func insert(_ index: Int) {
            found.insert(letters[index])
            if isFolded, ASCIIText.isLetter(letters[index]) { found.insert(letters[index] ^ 0x20) }
        }
        if letter > 0 { insert(letter - 1) }
        for index in letter..<letterCount {
            insert(index)
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
        while end < letterCount, isSpecial(end) { end += 1 }
        let count = min(end - letter, gap.count)
        let first = (0..<count).prefix { isLetter(letter + $0, bytes[gap.lowerBound + $0]) }.count
        let last = (0..<count - first).prefix {
            isLetter(end - 1 - $0, bytes[gap.upperBound - 1 - $0])
        }.count
        return gap.lowerBound + first..<gap.upperBound - last
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
            if reading.count == 1 {
                let byte = reading.byte(0, isReversed: false)
                var letter = letter
                while letter < letterCount {
                    if isLetter(letter, byte) {
                        return ListStep(
                            letter: letter + 1, count: 1, notations: notations,
                            isInsideWord: letter > 0 && !isSpecial(letter - 1))
                    }
                    guard skipsSpecial, isSpecial(letter) else { break }
                    letter += 1
                }
            } else if let end = end(of: reading, from: 0, letter) {
                return ListStep(letter: end, count: end - letter, notations: notations)
            }
        }
        guard skipsSpecial, isPossibleWord(item, in: bytes) else { return nil }
        return wordStep(letter, item, in: bytes, notations)
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
        while first < letterCount, isSpecial(first) { first += 1 }
        let end = first + item.word.count
        guard end <= letterCount,
            item.word.allSatisfy({ isLetter(first + $0 - item.word.lowerBound, bytes[$0]) })
        else { return nil }
        return ListStep(
            letter: end, count: item.word.count, notations: notations, isWord: true,
            isInsideWord: first > 0 && !isSpecial(first - 1))
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
