/// Pseudonyms for texts and numbers. Equal values get the same pseudonym, which reveals nothing
/// but the length of a long text and the number of digits of a number.
final class ContentPseudonyms {
    /// Numbers with at most this many digits are kept.
    static let keptDigitsMax = 4

    /// A random key, so that a pseudonym cannot be compared with those of guessed texts.
    private let key = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    private var numbers: [UInt64: UInt64] = [:]
    /// Number of pseudonyms for numbers with this many digits.
    private var used: [Int: UInt64] = [:]

    /// Returns the pseudonym of a text: a word that is as long as the text, or 16 bytes long if the
    /// text is shorter. An empty text stays empty.
    ///
    /// - Parameter keepsCharacter: True to keep a text of one byte, such as `*` or `0`.
    func text(_ text: [UInt8], keepsCharacter: Bool = true) -> [UInt8] {
        guard text.count > (keepsCharacter ? 1 : 0) else { return text }
        var hasher = Hasher()
        hasher.combine(key.0)
        hasher.combine(text)
        hasher.combine(key.1)
        let hash = String(UInt64(truncatingIfNeeded: hasher.finalize()) >> 16, radix: 16)
        let zeros = String(repeating: "0", count: 12 - hash.count)
        let word = Array("text\(zeros)\(hash)".utf8)
        return word + [UInt8](repeating: UInt8(ascii: "x"), count: max(0, text.count - word.count))
    }

    /// Returns the pseudonym of a number, which has as many digits.
    func number(_ number: Int64) -> Int64 {
        let digits = String(number.magnitude).count
        guard digits > Self.keptDigitsMax else { return number }
        let pseudonym = numbers[number.magnitude] ?? newNumber(number.magnitude, digits)
        let value = Int64(truncatingIfNeeded: pseudonym)
        return number < 0 ? -value : value
    }

    private func newNumber(_ number: UInt64, _ digits: Int) -> UInt64 {
        let first = (1..<digits).reduce(1 as UInt64) { power, _ in power * 10 }
        guard numbers.count < Anonymiser.pseudonymsMax else { return first }
        let count = used[digits, default: 0] + 1
        used[digits] = count
        numbers[number] = first + count
        return first + count
    }
}
