/// Subjects of NATS: words with dots between them. In a subscription `*` stands for one word and a last
/// `>` for all that follow.
enum Subject {
    private static let dot: UInt8 = 0x2E
    private static let star: UInt8 = 0x2A
    private static let rest: UInt8 = 0x3E

    /// Whether no word is empty.
    static func isValid(_ subject: [UInt8]) -> Bool {
        !subject.isEmpty
            && subject.split(separator: dot, omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty
            }
    }

    /// Whether a word of it is a wildcard.
    static func hasWildcard(_ subject: [UInt8]) -> Bool {
        subject.split(separator: dot).contains {
            $0.elementsEqual([star]) || $0.elementsEqual([rest])
        }
    }

    static func matches(_ pattern: [UInt8], _ subject: [UInt8]) -> Bool {
        let patterns = pattern.split(separator: dot)
        let words = subject.split(separator: dot)
        for (place, wanted) in patterns.enumerated() {
            if wanted.elementsEqual([rest]) { return words.count > place }
            guard place < words.count else { return false }
            guard wanted.elementsEqual([star]) || wanted.elementsEqual(words[place]) else {
                return false
            }
        }
        return patterns.count == words.count
    }
}
