extension SecretScanner {
    /// Maximum number of bytes between two items, as in `</int></value><value><int>`.
    private static let gapMax = 48
    /// The same if the texts between the items differ only in numbers, as in lines of a log.
    private static let (regularGapMax, regularOthersMax) = (160, 12)
    /// Minimum length of a single number that is found anywhere, in bytes.
    private static let longNumberMin = 8
    /// Maximum distance between a number and the character that it represents, in bytes.
    private static let pairMax = 8
    /// Minimum of ``ListMatch/divisions`` for a list of words.
    private static let divisionsMin = 2
    /// Minimum number of such items that are found if the list is not complete.
    private static let regularItemsMin = 4
    /// Maximum number of bytes with which one special character is written.
    private static let specialBytesMax = 16
    /// Maximum number of missing special characters between two items.
    private static let specialsMax = 2
    /// Maximum number of bytes between two items that are next to each other, such as special
    /// characters.
    private static let nextMax = 2
    /// Maximum number of other items between two items, such as indices.
    private static let othersMax = 3
    /// Number of items at the start of a line that a part of a secret may begin with. The first ones
    /// may be an address.
    private static let lineItemsMax = 6
    /// Maximum number of bytes between a list and the end of its line.
    private static let lineEndMax = 256
    /// Maximum number of matches to follow at the same time, and of those that expect the same byte.
    private static let (matchesMax, alikeMax) = (48, 6)

    /// Adds the ranges of secrets in lists of characters or numbers: the secret's bytes occur in
    /// order, as characters by themselves, numbers or short words. Special characters may be missing,
    /// since they can be written in other ways, and there may be other text between the items.
    mutating func addLists(_ bytes: [UInt8], to found: inout [Range<Int>]) {
        found += lists(in: bytes).map(\.range)
    }

    /// Returns the secrets in lists, and their parts that are long enough.
    mutating func lists(in bytes: [UInt8]) -> [ListMatch] {
        var matches: [ListMatch] = []
        var others: [ListMatch] = []
        var lists: [ListMatch] = []
        var last = 0
        var lineItems = 0
        var item = ListItem()
        while item.next(in: bytes) {
            if bytes[last..<item.range.lowerBound].contains(where: ASCIIText.isLineEnd) {
                lineItems = 0
            }
            last = item.range.upperBound
            if item.count > 0 { lineItems += 1 }
            steps += matches.count
            for index in matches.indices.reversed() {
                if item.bytes.intersects(matches[index].expected) {
                    let before = matches[index]
                    if advance(&matches[index], over: item, bytes) {
                        // What looks like the next item may be in the next column.
                        if before.notations != .character,
                            item.range.lowerBound - before.end >= Self.nextMax
                        {
                            add(before, bytes, to: &lists)
                        }
                        guard
                            matches[index].mayBeWrong(after: before)
                                || item.isPunctuation(in: bytes)
                        else { continue }
                        others.append(before)
                        if let match = repeating(before, item, bytes) { others.append(match) }
                        continue
                    }
                    if let match = repeating(before, item, bytes) {
                        matches[index] = match
                        others.append(before)
                        continue
                    }
                }
                if !skip(item, &matches[index], bytes) {
                    add(matches[index], bytes, to: &lists)
                    matches.swapAt(index, matches.count - 1)
                    matches.removeLast()
                }
            }
            for other in others { add(other, to: &matches) }
            others.removeAll(keepingCapacity: true)
            begin(at: item, lineItems, bytes, &matches)
        }
        for match in matches { add(match, bytes, to: &lists) }
        return lists
    }

    /// Follows one more match. If too many continue alike, it replaces the shortest, and of those the
    /// oldest.
    private func add(_ match: ListMatch, to matches: inout [ListMatch]) {
        var (count, worst) = (0, 0)
        for index in matches.indices
        where matches[index].isAlike(match) {
            if matches[index].isSame(as: match) { return }
            let isWorse =
                (matches[index].count, matches[index].end)
                < (matches[worst].count, matches[worst].end)
            if count == 0 || isWorse { worst = index }
            count += 1
        }
        if count >= Self.alikeMax {
            if matches[worst].count <= match.count { matches[worst] = match }
        } else if matches.count < Self.matchesMax {
            matches.append(match)
        }
    }

    /// Continues a match with the item; returns false if the item is not the next one.
    private func advance(_ match: inout ListMatch, over item: ListItem, _ bytes: [UInt8]) -> Bool {
        let secrets = secrets.span
        let isNear = isNear(match, item) && Self.isSameList(bytes, match.end, item)
        guard
            let step = secrets[match.secret].step(
                match.next, item, in: bytes, match.notations, skipsSpecial: true),
            // Words with spaces between them may be an ordinary sentence.
            !step.isWord || match.others == 0 && match.words == 0 || item.isEnclosed(in: bytes)
        else { return false }
        let text = match.end..<(step.isWord ? item.word : item.range).lowerBound
        let isNext = text.count <= Self.nextMax && bytes[text].allSatisfy { $0 > 0x20 }
        if !isNear || !isNext {
            func isLikeFirst(_ text: Range<Int>) -> Bool {
                Self.isSameShape(bytes, match.gap ?? text, text, specials: match.specials)
            }
            let gap = secrets[match.secret].withoutSpecial(bytes, text, from: match.next)
            let isRegular =
                match.isRegular && canBeRegular(match, item)
                && (isLikeFirst(gap) || gap != text && isLikeFirst(text))
            guard isNear && !match.isFar || isRegular else { return false }
            match.gap = match.gap ?? gap
            match.isFar = match.isFar || !isNear
            match.isRegular = isRegular
        }
        match.advance(by: step, over: item)
        match.expected = secrets[match.secret].expected(at: step.letter)
        match.specials = secrets[match.secret].specials(from: step.letter)
        return true
    }

    /// Returns the match after an item that represents the same as the last one, since debuggers print
    /// both the number and the character; nil if it is something else.
    private func repeating(
        _ match: ListMatch, _ item: ListItem, _ bytes: [UInt8]
    ) -> ListMatch? {
        guard isNear(match, item), Self.isSameList(bytes, match.end, item),
            secrets.span[match.secret].step(
                match.next - 1, item, in: bytes, match.notations, skipsSpecial: false) != nil
        else { return nil }
        var match = match
        match.end = item.range.upperBound
        return match
    }

    /// Continues a match after an item that is not the next one; returns false if the match ends.
    private func skip(_ item: ListItem, _ match: inout ListMatch, _ bytes: [UInt8]) -> Bool {
        if item.count == 0 {
            match.words += 1
        } else if !item.isPunctuation(in: bytes) {
            match.others += 1
            // Parts inside a secret count only without other items.
            if match.first > 0 { return false }
        }
        return isNear(match, item) || match.isRegular && canBeRegular(match, item)
    }

    private func isNear(_ match: ListMatch, _ item: ListItem) -> Bool {
        // A secret that consists of digits may occur in any numbered list.
        let othersMax = secrets.span[match.secret].isNumber ? 0 : Self.othersMax
        let periods = min(match.specials, Self.specialsMax) + 1
        return item.range.lowerBound - match.end <= Self.gapMax * periods
            && match.others <= othersMax * periods
    }

    private func canBeRegular(_ match: ListMatch, _ item: ListItem) -> Bool {
        let periods = min(match.specials, Self.specialsMax) + 1
        return !secrets.span[match.secret].isNumber
            && match.others <= Self.regularOthersMax * periods
            && item.range.lowerBound - match.end <= Self.regularGapMax * periods
    }

    /// Returns true if the texts differ only in words that contain digits, and in spaces. The second one
    /// may consist of several such texts with special characters between them.
    private static func isSameShape(
        _ bytes: [UInt8], _ shape: Range<Int>, _ text: Range<Int>, specials: Int
    ) -> Bool {
        guard let end = afterShape(bytes, shape, text) else { return false }
        if end == text.upperBound { return true }
        guard (1...specialsMax).contains(specials) else { return false }
        return (end...min(end + specialBytesMax, text.upperBound)).contains {
            isSameShape(bytes, shape, $0..<text.upperBound, specials: specials - 1)
        }
    }

    /// Returns the offset after the part at the start of a text that is like `shape`; nil if there is
    /// none.
    private static func afterShape(
        _ bytes: [UInt8], _ shape: Range<Int>, _ text: Range<Int>
    ) -> Int? {
        var (first, second) = (shape.lowerBound, text.lowerBound)
        while true {
            first = afterNumbers(bytes, first, shape)
            second = afterNumbers(bytes, second, text)
            guard first < shape.upperBound else { return second }
            guard second < text.upperBound, bytes[first] == bytes[second] else { return nil }
            (first, second) = (first + 1, second + 1)
        }
    }

    /// Returns the offset after spaces and words that contain digits.
    private static func afterNumbers(_ bytes: [UInt8], _ start: Int, _ text: Range<Int>) -> Int {
        var offset = start
        while offset < text.upperBound {
            if bytes[offset] == UInt8(ascii: " ") {
                offset += 1
                continue
            }
            guard ASCIIText.isWord(bytes[offset]),
                offset == text.lowerBound || !ASCIIText.isWord(bytes[offset - 1])
            else { return offset }
            let word = bytes[offset..<text.upperBound].prefix(while: ASCIIText.isWord)
            guard word.contains(where: ASCIIText.isDigit) else { return offset }
            offset = word.endIndex
        }
        return offset
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
        at item: ListItem, _ lineItems: Int, _ bytes: [UInt8], _ matches: inout [ListMatch]
    ) {
        let isNearStart = lineItems <= Self.lineItemsMax
        for index in secrets.indices {
            steps += 1
            guard item.bytes.intersects(secrets.span[index].occurring) else { continue }
            let canBeginInside = isNearStart && secrets.span[index].hasParts
            let lettersEnd = canBeginInside ? secrets.span[index].letterCount : 1
            for letter in 0..<lettersEnd {
                guard let step = secrets.span[index].begin(at: letter, in: item, bytes) else {
                    continue
                }
                add(
                    ListMatch(
                        secret: index,
                        start: (step.isWord ? item.word : item.range).lowerBound, first: letter,
                        next: step.letter,
                        expected: secrets.span[index].expected(at: step.letter),
                        end: item.range.upperBound, count: step.count,
                        hasWord: step.isWord, notations: step.notations),
                    to: &matches)
            }
        }
    }

    /// Adds a match if it contains the whole rest of a secret, or enough of it at the end of a line.
    private func add(_ match: ListMatch, _ bytes: [UInt8], to found: inout [ListMatch]) {
        // A secret that consists of words may be ordinary text.
        guard !match.hasWord || match.divisions >= Self.divisionsMin else { return }
        // Two items that are far apart are no list.
        guard match.count >= SecretSpelling.encodedBytesMin, !match.isFar || match.items > 2
        else { return }
        let isWhole = secrets[match.secret].hasOnlySpecial(from: match.next)
        // The line may end between two items.
        let isCutList =
            match.isRegular && match.items >= Self.regularItemsMin && match.first == 0
            && Self.hasLineEnd(bytes, after: match.end)
        let isLongNumber = match.items == 1 && match.count >= Self.longNumberMin
        let isUpToLineEnd =
            match.isGapless && !(match.hasWord && match.skipsWords)
            && (isWhole || Self.isLineEnd(bytes, match))
        let isLongEnough = secrets[match.secret].isLongEnough(match.first..<match.next)
        // Letters may be an ordinary word; numbers are not.
        let isPart =
            isLongNumber || isCutList && isLongEnough
            || isUpToLineEnd && (isLongEnough || match.notations != .character)
        let isComplete = isWhole && match.first == 0
        guard isPart || isComplete else { return }
        let same = found.lastIndex {
            $0.secret == match.secret && $0.end == match.end && $0.first == 0
        }
        if isComplete, let same {
            if Self.isBetter(match, than: found[same]) { found[same] = match }
        } else {
            found.append(match)
        }
    }

    /// Compares two matches with the same end. An item long before the list may look like its first one.
    private static func isBetter(_ match: ListMatch, than other: ListMatch) -> Bool {
        let distance = match.start - other.start
        let isNearer = distance > pairMax || (-pairMax..<0).contains(distance)
        return match.count > other.count || match.count == other.count && isNearer
    }

    /// Returns true if the line ends before the next item of a list could end.
    private static func hasLineEnd(_ bytes: [UInt8], after offset: Int) -> Bool {
        offset + regularGapMax >= bytes.count
            || bytes[offset..<offset + regularGapMax].contains(where: ASCIIText.isLineEnd)
    }

    /// Returns true if a list ends at the end of a line, or where more spaces follow than there are
    /// between its items, as before the column with the text in a hex dump.
    private static func isLineEnd(_ bytes: [UInt8], _ match: ListMatch) -> Bool {
        let spaces = (match.gap?.count ?? 0) + 1
        let rest = bytes[match.end...].prefix(spaces)
        return isLineEnd(bytes, match.end)
            || match.notations != .character && spaces > 1 && rest.count == spaces
                && rest.allSatisfy { $0 == UInt8(ascii: " ") }
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
            if ListItem.isWord(byte) { return false }
        }
        return limit == bytes.count
    }
}
