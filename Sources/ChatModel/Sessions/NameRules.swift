public import LineProtocol

/// Which names are names, and which of them are the same one.
public struct NameRules: Sendable {
    /// How long a name is where nothing else is said, in bytes.
    public static let bytesMaxByDefault = 64

    /// How long a name is at most, in bytes.
    public var bytesMax: Int
    /// Which spellings are equal.
    public var folding: Folding
    /// Which bytes a name may have.
    public var alphabet: Alphabet
    /// Whether a name over the maximum is cut instead of refused.
    public var cutsLongNames = false

    /// Rules from their parts; without any, those of a chat between people.
    public init(
        bytesMax: Int = bytesMaxByDefault, folding: Folding = .unicode,
        alphabet: Alphabet = .visible
    ) {
        self.bytesMax = bytesMax
        self.folding = folding
        self.alphabet = alphabet
    }

    /// Which spellings are equal.
    public enum Folding: String, Sendable, Hashable, CaseIterable {
        case exact, ascii
        /// As ASCII, and `{|}~` are the lower case of ``[\]^``.
        case rfc1459
        /// As ASCII, and `{|}` are the lower case of ``[\]``.
        case rfc1459Strict = "rfc1459-strict"
        /// Canonically equivalent after upper-casing and then lower-casing, in no particular language.
        /// Going over upper case also makes `ß` and `SS`, `ς` and `σ` equal: it errs on the side of
        /// "taken".
        case unicode
    }

    /// Which bytes a name may have.
    public enum Alphabet: Sendable, Hashable {
        /// UTF-8 without controls and invisible characters, no blank at an end.
        case visible
        /// Letters, digits, `-` and ``[]\`_^{|}``, not starting with a digit or a dash (RFC 2812 §2.3.1);
        /// bytes over 127 too, as servers take them.
        case irc
        /// Whatever has neither blanks nor controls.
        case word
    }

    /// Reads the dialect's policies; what it leaves open is as `self` has it.
    public func decided(by dialect: Dialect) -> NameRules {
        var rules = self
        if let word = dialect.policies["name-case"], let folding = Folding(rawValue: word) {
            rules.folding = folding
        }
        if let word = dialect.policies["name-too-long"] { rules.cutsLongNames = word == "cut" }
        return rules
    }

    /// What is equal for all spellings of one name; nil if no name is spelled so.
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

    /// The name cut to its maximum, on a letter.
    func shortened(_ name: [UInt8]) -> [UInt8] {
        var cut = Array(name.prefix(bytesMax))
        cut.removeIncompleteLetter()
        return cut
    }

    /// Upper-case letters, and behind them `[`, `\`, `]` and perhaps `^`, whose other case are `{|}~`.
    private static func lowercased(_ byte: UInt8, _ last: UInt8) -> UInt8 {
        (0x41...last).contains(byte) ? byte + 0x20 : byte
    }
}

/// What is equal for all spellings of one name.
public enum NameKey: Sendable, Hashable {
    case bytes([UInt8])
    /// Equal to whatever is canonically equivalent.
    case text(String)
}
