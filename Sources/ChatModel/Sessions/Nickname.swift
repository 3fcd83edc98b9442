/// A nickname that may be used. Two spellings that the ``NameRules`` call equal are the same nickname.
public struct Nickname: Sendable, Hashable {
    /// The nickname as it was given.
    public let bytes: [UInt8]
    /// Equal for all spellings of the same nickname.
    public let key: NameKey

    /// The nickname of these bytes; one that is too long is cut where the rules say so.
    ///
    /// - Throws: why it cannot be a nickname.
    public init(_ name: [UInt8], _ rules: NameRules = NameRules()) throws(NicknameError) {
        guard !name.isEmpty else { throw .empty }
        var bytes = name
        if bytes.count > rules.bytesMax {
            guard rules.cutsLongNames else { throw .tooLong(bytesMax: rules.bytesMax) }
            bytes = rules.shortened(bytes)
        }
        try Self.check(bytes, rules.alphabet)
        guard let key = rules.key(bytes) else { throw .notUTF8 }
        self.bytes = bytes
        self.key = key
    }

    /// The nickname of a text.
    ///
    /// - Throws: why it cannot be a nickname.
    public init(_ text: String, _ rules: NameRules = NameRules()) throws(NicknameError) {
        try self.init(Array(text.utf8), rules)
    }

    /// The name with nothing asked of it but that it can be told from others.
    package init(unchecked bytes: [UInt8], _ rules: NameRules) {
        self.bytes = bytes
        key = rules.key(bytes) ?? .bytes(bytes)
    }

    /// The nickname as it was given.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The key of whatever spelling; nil if it cannot be a nickname.
    public static func key(of bytes: [UInt8], _ rules: NameRules = NameRules()) -> NameKey? {
        guard bytes.count > rules.bytesMax else { return rules.key(bytes) }
        return rules.cutsLongNames ? rules.key(rules.shortened(bytes)) : nil
    }

    private static func check(
        _ bytes: [UInt8], _ alphabet: NameRules.Alphabet
    ) throws(NicknameError) {
        switch alphabet {
        case .visible:
            try checkVisible(bytes)
        case .irc:
            guard let first = bytes.first, !isDigitOrDash(first), bytes.allSatisfy(isIRC) else {
                throw .forbiddenCharacter
            }
        case .word:
            guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .blankOrControl }
        }
    }

    private static func checkVisible(_ bytes: [UInt8]) throws(NicknameError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        guard !text.unicodeScalars.contains(where: isForbidden) else { throw .controlCharacter }
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
        else { throw .blankAtEnd }
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

    /// Whether they are spellings of the same nickname.
    public static func == (one: Nickname, other: Nickname) -> Bool { one.key == other.key }

    /// Equal for all spellings.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// Why something cannot be a nickname.
public enum NicknameError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case tooLong(bytesMax: Int)
    case notUTF8
    case controlCharacter
    case blankAtEnd
    case blankOrControl
    case forbiddenCharacter
    /// Somebody has it, maybe in another case.
    case inUse

    /// The reason, for people.
    public var description: String {
        switch self {
        case .empty: "the nickname is empty"
        case .tooLong(let bytesMax): "the nickname is longer than \(bytesMax) bytes"
        case .notUTF8: "the nickname is not UTF-8"
        case .controlCharacter: "the nickname has a control character"
        case .blankAtEnd: "the nickname starts or ends with a blank"
        case .blankOrControl: "the nickname has a blank or a control character"
        case .forbiddenCharacter: "the nickname has a forbidden character"
        case .inUse: "the nickname is in use"
        }
    }
}
