import LineProtocol
import Scenario

/// The replacement of numbers in sentences from the server. Such numbers are usually counts.
enum SentenceCounters {
    private static let space: UInt8 = 0x20
    /// Minimum number of words in a sentence.
    private static let wordsMin = 3

    /// Returns the pieces with placeholders in place of numbers; nil if there are no numbers.
    ///
    /// - Parameters:
    ///   - value: The whole value.
    ///   - pieces: The pieces into which the value has been divided so far.
    ///   - sent: Words that clients sent, which are not replaced.
    static func replaced(
        in value: [UInt8], _ pieces: [ScenarioSpelling.Piece], except sent: Set<[UInt8]>
    ) -> [ScenarioSpelling.Piece]? {
        let words = value.split(separator: space)
        guard words.count >= wordsMin, words.contains(where: { !isNumber($0) }) else { return nil }
        var found = false
        var result: [ScenarioSpelling.Piece] = []
        for (index, piece) in pieces.enumerated() {
            guard case .bytes(let bytes) = piece else {
                result.append(piece)
                continue
            }
            let isFirst = index == 0
            let isLast = index == pieces.count - 1
            let parts = bytes.split(separator: space, omittingEmptySubsequences: false)
            for (position, part) in parts.enumerated() {
                if position > 0 { result.append(.bytes([space])) }
                // A part that touches a placeholder is not a whole word.
                let isWhole =
                    (position > 0 || isFirst) && (position < parts.count - 1 || isLast)
                let opening = part.prefix { $0 == UInt8(ascii: "(") }
                let digits = part.dropFirst(opening.count).prefix(while: ASCII.isDigit)
                let tail = part.dropFirst(opening.count + digits.count)
                let isPunctuated =
                    tail.isEmpty || tail.count == 1 && ",.;:)!".utf8.contains(tail[tail.startIndex])
                if isWhole, isNumber(digits), isPunctuated, !sent.contains(Array(digits)) {
                    found = true
                    result += [
                        .bytes(Array(opening)), .placeholder("{{_:int}}"), .bytes(Array(tail)),
                    ]
                } else {
                    result.append(.bytes(Array(part)))
                }
            }
        }
        return found ? FieldVariants.joined(result) : nil
    }

    private static func isNumber(_ word: some Collection<UInt8>) -> Bool {
        !word.isEmpty && word.count <= 18 && word.allSatisfy(ASCII.isDigit)
    }
}
