/// A part of a secret found in a list.
private struct ListMatch {
    /// Index of the secret.
    let secret: Int
    let start: Int
    /// True if the match begins inside the secret.
    let isTail: Bool
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
}

extension SecretScanner {
    /// Maximum number of bytes between two items, as in `</int></value><value><int>`.
    private static let gapMax = 48
    /// Maximum number of other items between two items, such as indices.
    private static let othersMax = 3
    /// Number of items at the start of a line that a part of a secret may begin with. The first ones
    /// may be an address.
    private static let lineItemsMax = 4
    /// Maximum number of matches to follow at the same time.
    private static let matchesMax = 64

    /// Adds the ranges of secrets in lists of characters or numbers: the secret's bytes occur in
    /// order, each as a character by itself or as a number. Special characters may be missing, since
    /// they can be written in other ways, and there may be other text between the items.
    mutating func addLists(_ bytes: [UInt8], to found: inout [Range<Int>]) {
        guard Self.mayHaveList(bytes) else { return }
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
            where !advance(&matches[index], over: item) {
                add(matches.remove(at: index), to: &found)
            }
            if matches.count < Self.matchesMax { begin(at: item, lineItems, &matches) }
        }
        for match in matches { add(match, to: &found) }
    }

    /// Returns false if there are certainly too few items for a secret.
    private static func mayHaveList(_ bytes: [UInt8]) -> Bool {
        var count = 0
        var last = 0
        while let item = ListItem(bytes, from: last) {
            last = item.range.upperBound
            count += item.bytesMax
            if count >= SecretSpelling.encodedBytesMin { return true }
        }
        return false
    }

    /// Continues a match with the next item; returns false if the match ends before it.
    private func advance(_ match: inout ListMatch, over item: ListItem) -> Bool {
        let secret = secrets[match.secret]
        // A secret that consists of digits may occur in any numbered list.
        let othersMax = secret.isNumber ? 0 : Self.othersMax
        guard item.range.lowerBound - match.end <= Self.gapMax else { return false }
        guard let next = secret.next(after: match.next, in: item, skipsSpecial: true) else {
            // Debuggers print both the number and the character.
            if secret.next(after: match.next - 1, in: item, skipsSpecial: false) != nil {
                match.end = item.range.upperBound
                return true
            }
            match.others += 1
            return match.others <= othersMax
        }
        match.isGapless = match.isGapless && match.others == 0
        match.others = 0
        match.count += next.count
        match.next = next.letter
        match.end = item.range.upperBound
        return true
    }

    /// Begins matches of secrets that start with the item. At the start of a line, a match may begin
    /// inside a secret.
    private mutating func begin(
        at item: ListItem, _ lineItems: Int, _ matches: inout [ListMatch]
    ) {
        let isNearStart = lineItems <= Self.lineItemsMax
        guard isNearStart || item.contains(where: { starts.canBegin(with: $0) }) else { return }
        for index in secrets.indices {
            steps += 1
            guard item.contains(where: { secrets[index].occurs($0) }) else { continue }
            let secret = secrets[index]
            let lettersEnd = isNearStart && !secret.isNumber ? secret.letterCount : 1
            for letter in 0..<lettersEnd {
                guard let next = secret.begin(at: letter, in: item),
                    !matches.contains(where: {
                        $0.secret == index && $0.next == next.letter
                            && $0.end == item.range.upperBound
                    })
                else { continue }
                matches.append(
                    ListMatch(
                        secret: index, start: item.range.lowerBound, isTail: letter > 0,
                        next: next.letter, end: item.range.upperBound, count: next.count))
            }
        }
    }

    /// Adds the range of a match if it contains the whole rest of a secret, or enough of it without
    /// anything between the items.
    private func add(_ match: ListMatch, to found: inout [Range<Int>]) {
        guard match.count >= SecretSpelling.encodedBytesMin,
            match.isGapless
                || !match.isTail && secrets[match.secret].hasOnlySpecial(from: match.next)
        else { return }
        found.append(match.start..<match.end)
    }
}

extension ListItem {
    /// The largest number of bytes that the item may stand for.
    fileprivate var bytesMax: Int { (0..<count).reduce(0) { max($0, self[$1].count) } }

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

    /// Returns the index of the secret's byte after those that the item stands for, and their
    /// number; nil if the item stands for something else.
    fileprivate func next(
        after letter: Int, in item: ListItem, skipsSpecial: Bool
    ) -> (letter: Int, count: Int)? {
        for index in 0..<item.count {
            let reading = item[index]
            if reading.count == 1 {
                let byte = reading.byte(0, isReversed: false)
                var letter = letter
                while letter < letterCount {
                    if isLetter(letter, byte) { return (letter + 1, 1) }
                    guard skipsSpecial, isSpecial(letter) else { break }
                    letter += 1
                }
            } else {
                for isReversed in [true, false] {
                    if let next = next(after: letter, in: reading, isReversed, from: 0) {
                        return next
                    }
                }
            }
        }
        return nil
    }

    /// Returns what ``next(after:in:skipsSpecial:)`` returns, for an item with which the secret
    /// begins. The first bytes of a number may come before the secret.
    fileprivate func begin(at letter: Int, in item: ListItem) -> (letter: Int, count: Int)? {
        if let next = next(after: letter, in: item, skipsSpecial: false) { return next }
        guard letter == 0 else { return nil }
        for index in 0..<item.count where item[index].count > 1 {
            for isReversed in [true, false] {
                for position in 1..<item[index].count {
                    if let next = next(after: 0, in: item[index], isReversed, from: position) {
                        return next
                    }
                }
            }
        }
        return nil
    }

    /// Compares the bytes of a number with those of the secret, except for zero bytes. The last
    /// bytes may come after the secret.
    private func next(
        after letter: Int, in reading: ListItem.Reading, _ isReversed: Bool, from start: Int
    ) -> (letter: Int, count: Int)? {
        var end = letter
        for position in start..<reading.count where end < letterCount {
            let byte = reading.byte(position, isReversed: isReversed)
            if byte == 0 { continue }
            guard isLetter(end, byte) else { return nil }
            end += 1
        }
        return end > letter ? (end, end - letter) : nil
    }
}
