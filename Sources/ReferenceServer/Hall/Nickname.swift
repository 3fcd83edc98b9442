/// A nickname that may be used.
package struct Nickname: Sendable, Hashable {
    /// The nickname as it was given.
    package let bytes: [UInt8]
    /// Equal for all spellings of the same nickname.
    package let key: NameKey

    /// - Throws: the refusal, if the nickname is empty, too long, or has what a name may not have.
    package init(_ name: [UInt8], _ rules: NameRules) throws(Refusal) {
        guard !name.isEmpty else { throw Refusal(.badName, "the nickname is empty") }
        var bytes = name
        if bytes.count > rules.bytesMax {
            guard rules.cutsLongNames else {
                throw Refusal(.badName, "the nickname is longer than \(rules.bytesMax) bytes")
            }
            bytes = Array(bytes.prefix(rules.bytesMax))
            bytes.removeIncompleteLetter()
        }
        try Self.check(bytes, rules.alphabet)
        guard let key = rules.key(bytes) else {
            throw Refusal(.badName, "the nickname is not UTF-8")
        }
        self.bytes = bytes
        self.key = key
    }

    /// The name with nothing asked of it but that it can be told from others.
    init(unchecked bytes: [UInt8], _ rules: NameRules) {
        self.bytes = bytes
        key = rules.key(bytes) ?? .bytes(bytes)
    }

    /// The key of whatever spelling; nil if it cannot be a nickname.
    package static func key(of bytes: [UInt8], _ rules: NameRules) -> NameKey? {
        guard bytes.count <= rules.bytesMax else {
            return rules.cutsLongNames ? rules.key(Array(bytes.prefix(rules.bytesMax))) : nil
        }
        return rules.key(bytes)
    }

    private static func check(
        _ bytes: [UInt8], _ alphabet: NameRules.Alphabet
    ) throws(Refusal) {
        switch alphabet {
        case .visible:
            try checkVisible(bytes)
        case .irc:
            guard let first = bytes.first, !isDigitOrDash(first), bytes.allSatisfy(isIRC) else {
                throw Refusal(.badName, "the nickname has a forbidden character")
            }
        case .word:
            guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
                throw Refusal(.badName, "the nickname has a blank or a control character")
            }
        }
    }

    private static func checkVisible(_ bytes: [UInt8]) throws(Refusal) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(.badName, "the nickname is not UTF-8")
        }
        guard !text.unicodeScalars.contains(where: isForbidden) else {
            throw Refusal(.badName, "the nickname has a control character")
        }
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
        else { throw Refusal(.badName, "the nickname starts or ends with a blank") }
    }

    private static func isDigitOrDash(_ byte: UInt8) -> Bool {
        byte == 0x2D || (0x30...0x39).contains(byte)
    }

    private static func isIRC(_ byte: UInt8) -> Bool {
        isDigitOrDash(byte) || (0x41...0x7D).contains(byte) || byte >= 0x80
    }

    /// Controls, and what is invisible: names that look the same must be the same.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
