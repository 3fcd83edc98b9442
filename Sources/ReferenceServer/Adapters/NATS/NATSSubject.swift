/// NATS subjects, which are dot-separated tokens. In a subscription, `*` matches one token, and a
/// final `>` matches all remaining tokens.
enum NATSSubject {
    private static let dot: UInt8 = 0x2E
    private static let star: UInt8 = 0x2A
    private static let rest: UInt8 = 0x3E

    /// Returns whether the subject contains no empty tokens.
    static func isValid(_ subject: [UInt8]) -> Bool {
        !subject.isEmpty
            && subject.split(separator: dot, omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty
            }
    }

    /// Returns whether the subject contains a wildcard token.
    static func hasWildcard(_ subject: [UInt8]) -> Bool {
        subject.split(separator: dot).contains {
            $0.elementsEqual([star]) || $0.elementsEqual([rest])
        }
    }

    static func matches(_ pattern: [UInt8], _ subject: [UInt8]) -> Bool {
        let patterns = pattern.split(separator: dot)
        let words = subject.split(separator: dot)
        for (index, wanted) in patterns.enumerated() {
            if wanted.elementsEqual([rest]) { return words.count > index }
            guard index < words.count else { return false }
            guard wanted.elementsEqual([star]) || wanted.elementsEqual(words[index]) else {
                return false
            }
        }
        return patterns.count == words.count
    }
}
