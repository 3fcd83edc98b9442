public import LineProtocol

/// Rules for nicknames: which names are valid, and which are considered equal.
public struct NameRules: Sendable {
    /// Default maximum length, in bytes.
    public static let bytesMaxByDefault = 64

    /// Maximum length, in bytes.
    public var bytesMax: Int
    /// Rule for deciding whether two names are equal.
    public var folding: Folding
    /// The characters that a name may contain.
    public var alphabet: Alphabet
    /// True if a name that is too long is truncated rather than rejected.
    public var cutsLongNames = false

    /// Creates rules. The defaults suit a chat between people.
    ///
    /// - Parameters:
    ///   - bytesMax: the maximum length, in bytes.
    ///   - folding: the rule for deciding whether two names are equal.
    ///   - alphabet: the allowed characters.
    public init(
        bytesMax: Int = bytesMaxByDefault, folding: Folding = .unicode,
        alphabet: Alphabet = .visible
    ) {
        self.bytesMax = bytesMax
        self.folding = folding
        self.alphabet = alphabet
    }

    /// Rule for deciding whether two names are equal.
    public enum Folding: String, Sendable, Hashable, CaseIterable {
        case exact, ascii
        /// Like ASCII, except that `{|}~` are also the lower-case forms of `[`, `\`, `]` and `^`.
        case rfc1459
        /// Like ASCII, except that `{|}` are also the lower-case forms of `[`, `\` and `]`.
        case rfc1459Strict = "rfc1459-strict"
        /// Canonical equivalence after conversion to upper case and then to lower case, independent
        /// of locale. Converting to upper case first also makes `ß` equal to `SS` and `ς` equal to
        /// `σ`, so that names that might be confused count as the same name.
        case unicode
    }

    /// The characters that a name may contain.
    public enum Alphabet: Sendable, Hashable {
        /// UTF-8 without control or invisible characters, and without leading or trailing spaces.
        case visible
        /// Letters, digits, `-` and special characters such as `[`, `_` and `|`. The first
        /// character must not be a digit or `-` (RFC 2812 §2.3.1). Bytes above 127 are also
        /// accepted, as they are by real servers.
        case irc
        /// Anything except spaces and control characters.
        case word
    }

    /// Returns a copy of these rules with the dialect's policies applied.
    public func decided(by dialect: Dialect) -> NameRules {
        var rules = self
        if let word = dialect.policies["name-case"], let folding = Folding(rawValue: word) {
            rules.folding = folding
        }
        if let word = dialect.policies["name-too-long"] { rules.cutsLongNames = word == "cut" }
        return rules
    }

    /// Returns the key that equal names share; nil if the folding is `unicode` and the name is not
    /// valid UTF-8.
    public func key(_ name: [UInt8]) -> NameKey? {
        switch folding {
        case .exact: .bytes(name)
        case .ascii: .bytes(name.map { Self.lowercased($0, 0x5A) })
        case .rfc1459: .bytes(name.map { Self.lowercased($0, 0x5E) })
        case .rfc1459Strict: .bytes(name.map { Self.lowercased($0, 0x5D) })
        case .unicode:
            String(validating: name, as: UTF8.self).map { .text($0.uppercased().lowercased()) }
        }
    }

    /// Returns the name truncated to ``bytesMax`` at a character boundary.
    func shortened(_ name: [UInt8]) -> [UInt8] {
        var cut = Array(name.prefix(bytesMax))
        cut.removeIncompleteCharacter()
        return cut
    }

    /// Converts upper-case letters to lower case, along with the characters from `[` to `last`: IRC's
    /// case mappings treat `[ ] \ ^` as upper-case `{ | } ~`.
    private static func lowercased(_ byte: UInt8, _ last: UInt8) -> UInt8 {
        (0x41...last).contains(byte) ? byte + 0x20 : byte
    }
}

/// Comparison key of a name. Equal names have the same key.
public enum NameKey: Sendable, Hashable {
    case bytes([UInt8])
    /// A name that is compared by canonical equivalence.
    case text(String)
}
