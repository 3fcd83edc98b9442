/// A part of a secret found in a list.
private struct ListMatch {
    /// Index of the secret.
    let secret: Int
    let start: Int
    /// Index of the first of the secret's bytes.
    let first: Int
    /// Index of the secret's next byte.
    var next: Int
    /// Offset after the last item that matched.
    var end: Int
    /// Number of the secret's bytes found.
    var count: Int
    /// Number of items since the last one that matched.
    var others = 0
    /// True if all items since the start matched.
    var isGapless = true
    /// The notations that all numbers so far have.
    var notations: ListItem.Notations

    mutating func advance(by step: ListStep, to offset: Int) {
        isGapless = isGapless && others == 0
        others = 0
        count += step.count
        next = step.letter
        notations = step.notations
        end = offset
    }
}

/// The part of a secret that an item stands for.
private struct ListStep {
    /// Index of the secret's next byte.
    var letter: Int
    /// Number of the secret's bytes.
    var count: Int
    /// The notations that all numbers so far have.
    var notations: ListItem.Notations
}

extension SecretScanner {
    /// Maximum number of bytes between two items, as in `</int></value><value><int>`.
    private static let gapMax = 48
    /// Maximum number of other items between two items, such as indices.
    private static let othersMax = 3
    /// Number of items at the start of a line that a part of a secret may begin with. The first ones
    /// may be an address.
    private static let lineItemsMax = 4
    /// Maximum number of bytes between a list and the end of its line.
    private static let lineEndMax = 256
    /// Maximum number of matches to follow at the same time.
    private static let matchesMax = 64

    /// Adds the ranges of secrets in lists of characters or numbers: the secret's bytes occur in
    /// order, each as a character by itself or as a number. Special characters may be missing, since
    /// they can be written in other ways, and there may be other text between the items.
    mutating func addLists(_ bytes: [UInt8], to found: inout [Range<Int>]) {
        var matches: [ListMatch] = []
        var last = 0
        var lineItems = 0
        while let item = ListItem(bytes, from: last) {
            if bytes[last..<item.range.lowerBound].contains(where: ASCIIText.isLineEnd) {
                lineItems = 0
            }
            last = item.range.upperBound
            lineItems += 1
            for index in matches.indices.reversed()
            where !advance(&matches[index], over: item, bytes) {
                add(matches.remove(at: index), bytes, to: &found)
            }
            if matches.count < Self.matchesMax { begin(at: item, lineItems, &matches) }
        }
        for match in matches { add(match, bytes, to: &found) }
    }

    /// Continues a match with the next item; returns false if the match ends before it.
    private func advance(
        _ match: inout ListMatch, over item: ListItem, _ bytes: [UInt8]
    ) -> Bool {
        let secret = secrets[match.secret]
        // A secret that consists of digits may occur in any numbered list.
        let othersMax = secret.isNumber ? 0 : Self.othersMax
        guard item.range.lowerBound - match.end <= Self.gapMax,
            Self.isSameList(bytes, match.end, item)
        else { return false }
        if let step = secret.step(match.next, item, match.notations, skipsSpecial: true) {
            match.advance(by: step, to: item.range.upperBound)
            return true
        }
        // Debuggers print both the number and the character.
        if secret.step(match.next - 1, item, match.notations, skipsSpecial: false) != nil {
            match.end = item.range.upperBound
            return true
        }
        match.others += 1
        return match.others <= othersMax
    }

    /// Returns true if the item is in the same line as the last one, or if the list has only one item
    /// per line.
    private static func isSameList(_ bytes: [UInt8], _ end: Int, _ item: ListItem) -> Bool {
        let gap = bytes[end..<item.range.lowerBound]
        guard gap.contains(where: ASCIIText.isLineEnd) else { return true }
        guard gap.allSatisfy(LooseCharacters.isLoose) else { return false }
        if isLineEnd(bytes, item.range.upperBound) { return true }
        // The last item of the list may be followed by other text.
        let before = bytes[max(0, end - gapMax)..<end]
        guard let line = before.lastIndex(where: ASCIIText.isLineEnd) else { return false }
        return before[line...].drop(while: LooseCharacters.isLoose)
            .allSatisfy { !LooseCharacters.isLoose($0) }
    }

    /// Begins matches of secrets that start with the item. At the start of a line, a match may begin
    /// inside a secret.
    private mutating func begin(
        at item: ListItem, _ lineItems: Int, _ matches: inout [ListMatch]
    ) {
        let isNearStart = lineItems <= Self.lineItemsMax
        for index in secrets.indices {
            steps += 1
            guard item.contains(where: { secrets[index].occurs($0) }) else { continue }
            let secret = secrets[index]
            let lettersEnd = isNearStart && !secret.isNumber ? secret.letterCount : 1
            for letter in 0..<lettersEnd {
                guard let step = secret.begin(at: letter, in: item),
                    !matches.contains(where: {
                        $0.secret == index && $0.next == step.letter
                            && $0.end == item.range.upperBound
                    })
                else { continue }
                matches.append(
                    ListMatch(
                        secret: index, start: item.range.lowerBound, first: letter,
                        next: step.letter, end: item.range.upperBound, count: step.count,
                        notations: step.notations))
            }
        }
    }

    /// Adds the range of a match if it contains the whole rest of a secret, or enough of it at the
    /// end of a line.
    private func add(_ match: ListMatch, _ bytes: [UInt8], to found: inout [Range<Int>]) {
        guard match.count >= SecretSpelling.encodedBytesMin else { return }
        let isWhole = secrets[match.secret].hasOnlySpecial(from: match.next)
        let isPart =
            match.isGapless && secrets[match.secret].isLongEnough(match.first..<match.next)
            && (isWhole || Self.isLineEnd(bytes, match.end))
        guard isPart || isWhole && match.first == 0 else { return }
        found.append(match.start..<match.end)
    }

    /// Returns true if a line ends at the offset, except for punctuation and the column with the text
    /// in a hex dump.
    private static func isLineEnd(_ bytes: [UInt8], _ start: Int) -> Bool {
        let limit = min(bytes.count, start + lineEndMax)
        for offset in start..<limit {
            let byte = bytes[offset]
            if ASCIIText.isLineEnd(byte) || byte == UInt8(ascii: "|") { return true }
            let isGap = byte == UInt8(ascii: " ") && offset >= start + 2
            if isGap, bytes[offset - 1] == byte, bytes[offset - 2] == byte { return true }
            if ASCIIText.isLetter(byte) || ASCIIText.isDigit(byte) || byte >= 0x80 { return false }
        }
        return limit == bytes.count
    }
}

extension ListItem {
    /// Returns true if a byte of a reading satisfies the predicate.
    fileprivate func contains(where predicate: (UInt8) -> Bool) -> Bool {
        for index in 0..<count {
            let reading = self[index]
            for position in 0..<reading.count
            where predicate(reading.byte(position, isReversed: false)) {
                return true
            }
        }
        return false
    }
}

extension SecretSpelling {
    fileprivate var isNumber: Bool { secret.allSatisfy(ASCIIText.isDigit) }

    /// Returns true if only special characters follow.
    fileprivate func hasOnlySpecial(from letter: Int) -> Bool {
        (letter..<letterCount).allSatisfy(isSpecial)
    }

    /// Returns the part of the secret that the item stands for; nil if it stands for something else.
    ///
    /// - Parameters:
    ///   - letter: Index of the secret's next byte.
    ///   - notations: The notations that a number may have.
    fileprivate func step(
        _ letter: Int, _ item: ListItem, _ notations: ListItem.Notations, skipsSpecial: Bool
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
                        return ListStep(letter: letter + 1, count: 1, notations: notations)
                    }
                    guard skipsSpecial, isSpecial(letter) else { break }
                    letter += 1
                }
            } else if let end = end(of: reading, from: 0, letter) {
                return ListStep(letter: end, count: end - letter, notations: notations)
            }
        }
        return nil
    }

    /// Returns the part of the secret that begins at a letter and that the item stands for. The first
    /// bytes of a number may come before the secret.
    fileprivate func begin(at letter: Int, in item: ListItem) -> ListStep? {
        if let step = step(letter, item, .character, skipsSpecial: letter == 0) { return step }
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
