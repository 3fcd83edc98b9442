/// A valid nickname. Its ``NameRules`` determine which other nicknames are equal to it.
public struct Nickname: Sendable, Hashable {
    /// The nickname as given, or truncated if it was too long.
    public let bytes: [UInt8]
    /// Comparison key. Equal nicknames have the same key.
    public let key: NameKey

    /// Creates a nickname from bytes. A name that is too long is truncated if the rules allow it.
    ///
    /// - Throws: ``NicknameError`` if the name is not valid.
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

    /// Creates a nickname from a string.
    ///
    /// - Throws: ``NicknameError`` if the name is not valid.
    public init(_ text: String, _ rules: NameRules = NameRules()) throws(NicknameError) {
        try self.init(Array(text.utf8), rules)
    }

    /// Creates a nickname without validating it.
    package init(unchecked bytes: [UInt8], _ rules: NameRules) {
        self.bytes = bytes
        key = rules.key(bytes) ?? .bytes(bytes)
    }

    /// Creates a nickname with its own comparison key, without validating it.
    package init(unchecked bytes: [UInt8], key: NameKey) {
        self.bytes = bytes
        self.key = key
    }

    /// The nickname as a string, with invalid UTF-8 replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the comparison key of a name; nil if the name is too long and the rules do not
    /// truncate long names, or if the rules require UTF-8 and it is not valid UTF-8.
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
            guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .spaceOrControl }
        }
    }

    private static func checkVisible(_ bytes: [UInt8]) throws(NicknameError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        guard !text.unicodeScalars.contains(where: isForbidden) else { throw .controlCharacter }
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
        else { throw .spaceAtEnd }
    }

    private static func isDigitOrDash(_ byte: UInt8) -> Bool {
        byte == 0x2D || (0x30...0x39).contains(byte)
    }

    private static func isIRC(_ byte: UInt8) -> Bool {
        isDigitOrDash(byte) || (0x41...0x7D).contains(byte) || byte >= 0x80
    }

    /// Returns whether a character is invisible or a control character. Such characters are
    /// forbidden so that different names do not look the same.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns whether two nicknames share a key.
    public static func == (one: Nickname, other: Nickname) -> Bool { one.key == other.key }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The reason a name cannot be used as a nickname.
public enum NicknameError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case tooLong(bytesMax: Int)
    case notUTF8
    case controlCharacter
    case spaceAtEnd
    case spaceOrControl
    case forbiddenCharacter
    /// Another user has this nickname or an equivalent one.
    case inUse

    /// A human-readable reason.
    public var description: String {
        switch self {
        case .empty: "the nickname is empty"
        case .tooLong(let bytesMax): "the nickname is longer than \(bytesMax) bytes"
        case .notUTF8: "the nickname is not UTF-8"
        case .controlCharacter: "the nickname contains a control character"
        case .spaceAtEnd: "the nickname starts or ends with a space"
        case .spaceOrControl: "the nickname contains a space or a control character"
        case .forbiddenCharacter: "the nickname contains a forbidden character"
        case .inUse: "the nickname is in use"
        }
    }
}
