/// A part of a secret found in a list.
struct ListMatch {
    /// Index of the secret.
    let secret: Int
    let start: Int
    /// Index of the first of the secret's bytes.
    let first: Int
    /// Index of the secret's next byte.
    var next: Int
    /// The bytes of an item that continues the match.
    var expected: SecretBytes
    /// Offset after the last item that matched.
    var end: Int
    /// Number of the secret's bytes found.
    var count: Int
    /// Number of items that matched.
    var items = 1
    /// Number of other characters and numbers since the last item that matched.
    var others = 0
    /// Number of other words since then.
    var words = 0
    /// True if an item is a word of several characters.
    var hasWord = false
    /// A measure of how certain it is that the items are not just the words of the secret.
    var divisions = 0
    /// True if all items since the start matched.
    var isGapless = true
    /// True if there were other words between the items.
    var skipsWords = false
    /// Number of the secret's special characters that come next. They may be missing, so that the next
    /// item is farther away.
    var specials = 0
    /// The text between the first two items that are not next to each other.
    var gap: Range<Int>?
    /// True if the later texts between items differ from it only in numbers.
    var isRegular = true
    /// True if two items are so far apart that these texts must not differ otherwise.
    var isFar = false
    /// The notations that all numbers so far have.
    var notations: ListItem.Notations

    /// The range of the items in the text.
    var range: Range<Int> { start..<end }

    /// Returns true if the matches can only continue in the same way.
    func isSame(as other: ListMatch) -> Bool {
        secret == other.secret && next == other.next && end == other.end && gap == other.gap
            && isRegular == other.isRegular && start == other.start
    }

    /// Returns true if the matches expect the same bytes and both begin at the start of the secret, or
    /// both inside it.
    func isAlike(_ other: ListMatch) -> Bool {
        secret == other.secret && next == other.next && (first == 0) == (other.first == 0)
    }

    /// Returns true if the last item may only have looked like the next one, so that the match before
    /// it has to be followed, too.
    func mayBeWrong(after before: ListMatch) -> Bool {
        before.items <= 2 || before.isRegular && !isRegular
    }

    mutating func advance(by step: ListStep, over item: ListItem) {
        isGapless = isGapless && others == 0
        skipsWords = skipsWords || words > 0
        (others, words) = (0, 0)
        items += 1
        hasWord = hasWord || step.isWord
        divisions += step.divisions
        count += step.count
        next = step.letter
        notations = step.notations
        end = item.range.upperBound
    }
}

/// The part of a secret that an item represents.
struct ListStep {
    /// Index of the secret's next byte.
    var letter: Int
    /// Number of the secret's bytes.
    var count: Int
    /// The notations that all numbers so far have.
    var notations: ListItem.Notations
    /// True if the item is a word of several characters.
    var isWord = false
    /// A measure of how certain it is that the part is not one of the words of the secret.
    var divisions = 0
}
