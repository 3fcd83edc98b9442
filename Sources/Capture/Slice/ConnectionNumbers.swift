/// A set of connection numbers, with one bit for each number.
package struct ConnectionNumbers: Sendable {
    /// The largest number that a set can contain; larger numbers are not added.
    static let numberMax = 1 << 27

    private var words: [UInt64] = []
    private(set) var count = 0

    init(_ numbers: some Sequence<Int> = []) {
        for number in numbers { insert(number) }
    }

    func contains(_ number: Int) -> Bool {
        let (word, bit) = (number >> 6, UInt64(1) << UInt64(number & 63))
        return words.indices.contains(word) && words[word] & bit != 0
    }

    mutating func insert(_ number: Int) {
        guard (0...Self.numberMax).contains(number), !contains(number) else { return }
        let word = number >> 6
        if word >= words.count {
            words += [UInt64](repeating: 0, count: word + 1 - words.count)
        }
        words[word] |= UInt64(1) << UInt64(number & 63)
        count += 1
    }

    /// Returns the number of elements that both sets contain.
    func commonCount(_ other: ConnectionNumbers) -> Int {
        zip(words, other.words).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
    }
}
