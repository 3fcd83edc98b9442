package import LineProtocol

/// Which names are names, and which of them are the same one.
package struct NameRules: Sendable {
    package var bytesMax = 64
    package var folding = Folding.unicode
    package var alphabet = Alphabet.visible
    /// Whether a name over the maximum is cut instead of refused.
    package var cutsLongNames = false

    package init(
        bytesMax: Int = 64, folding: Folding = .unicode, alphabet: Alphabet = .visible
    ) {
        self.bytesMax = bytesMax
        self.folding = folding
        self.alphabet = alphabet
    }

    /// Which spellings are equal.
    package enum Folding: String, Sendable, Hashable, CaseIterable {
        case exact, ascii, rfc1459
        case rfc1459Strict = "rfc1459-strict"
        /// Canonically equivalent after upper-casing and then lower-casing, in no particular language.
        /// Going over upper case also makes `ß` and `SS`, `ς` and `σ` equal: it errs on the side of
        /// "taken".
        case unicode
    }

    /// Which bytes a name may have.
    package enum Alphabet: Sendable, Hashable {
        /// UTF-8 without controls and invisible characters, no blank at an end.
        case visible
        /// Letters, digits, `-` and ``[]\`_^{|}``, not starting with a digit or a dash (RFC 2812 §2.3.1);
        /// bytes over 127 too, as servers take them.
        case irc
        /// Whatever has neither blanks nor controls.
        case word
    }

    /// Reads the dialect's policies; what it leaves open is as `self` has it.
    package func decided(by dialect: Dialect) -> NameRules {
        var rules = self
        if let word = dialect.policies["name-case"], let folding = Folding(rawValue: word) {
            rules.folding = folding
        }
        if let word = dialect.policies["name-too-long"] { rules.cutsLongNames = word == "cut" }
        return rules
    }

    /// What is equal for all spellings of one name; nil if no name is spelled so.
    package func key(_ name: [UInt8]) -> NameKey? {
        switch folding {
        case .exact: .bytes(name)
        case .ascii: .bytes(name.map { Self.lowercased($0, 0x5A) })
        case .rfc1459: .bytes(name.map { Self.lowercased($0, 0x5E) })
        case .rfc1459Strict: .bytes(name.map { Self.lowercased($0, 0x5D) })
        case .unicode:
            String(validating: name, as: UTF8.self).map { .text($0.uppercased().lowercased()) }
        }
    }

    /// Upper-case letters, and behind them `[`, `\`, `]` and perhaps `^`, whose other case are `{|}~`.
    private static func lowercased(_ byte: UInt8, _ last: UInt8) -> UInt8 {
        (0x41...last).contains(byte) ? byte + 0x20 : byte
    }
}

/// What is equal for all spellings of one name.
package enum NameKey: Sendable, Hashable {
    case bytes([UInt8])
    /// Equal to whatever is canonically equivalent.
    case text(String)
}
