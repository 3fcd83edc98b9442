/// Rule for writing special bytes inside a value.
public enum EscapeRule: Sendable, Equatable {
    /// No escaping. A value that contains a byte in `forbidden` is rejected.
    case none(forbidden: ByteSet)
    /// A special byte is written as an escape byte followed by a letter.
    case table(EscapeTable)
    /// `%HH` (MSNP). Bytes in `encoded` are sent this way; any `%HH` is decoded.
    case percent(encoded: ByteSet)
    /// The given byte is escaped by writing it twice. A value that contains a byte in `forbidden`
    /// is rejected.
    case doubling(UInt8, forbidden: ByteSet)
    /// The value is written in double quotes, with the escapes `\xHH` and `\"` (Redis inline
    /// commands).
    case quotes
    /// A JSON string without its quotes (RFC 8259 §7).
    case json

    /// The first byte of all escape sequences; nil if there are none. A value without this byte
    /// does not need unescaping.
    @inlinable public var marker: UInt8? {
        switch self {
        case .none: nil
        case .table(let table): table.escape
        case .percent: ASCII.percent
        case .doubling(let byte, _): byte
        case .quotes, .json: ASCII.backslash
        }
    }
}

/// Escape sequences that consist of an escape byte and a letter.
public struct EscapeTable: Sendable, Equatable {
    /// The byte that starts an escape sequence.
    public let escape: UInt8
    private let letters: Letters
    /// Rule for an unknown letter after the escape byte.
    public var unknown: Unknown
    /// Rule for an escape byte at the end of a value.
    public var lone: Lone
    /// Bytes that can be sent neither literally nor escaped.
    public var forbidden: ByteSet

    /// Rule for an unknown letter after the escape byte.
    public enum Unknown: Sendable, Hashable {
        /// The sequence represents the letter itself (IRCv3 tags: `\b` is `b`).
        case letter
        /// The sequence is left unchanged.
        case verbatim
        /// The sequence is an error (STOMP 1.2).
        case error
    }

    /// Rule for an escape byte at the end of a value.
    public enum Lone: Sendable, Hashable {
        /// The escape byte is dropped (IRCv3 tags).
        case drop
        case verbatim
        case error
    }

    /// Error in the definition of an escape table.
    public enum Invalid: Error, Equatable {
        /// The table has no letter for the escape byte, so the escape byte could never be sent.
        case escapeByteHasNoLetter
        /// Two letters represent the same byte.
        case twoLetters(UInt8, UInt8, both: UInt8)
    }

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - escape: the byte that starts an escape sequence.
    ///   - meaning: the byte that each letter represents. The escape byte must be among these
    ///     bytes.
    ///   - unknown: how to handle an unknown letter after the escape byte.
    ///   - lone: how to handle an escape byte at the end of a value.
    ///   - forbidden: bytes that can be sent neither literally nor escaped.
    /// - Throws: ``Invalid`` if two letters represent the same byte, or if none represents the escape
    ///   byte.
    public init(
        escape: UInt8, meaning: [UInt8: UInt8], unknown: Unknown = .letter, lone: Lone = .drop,
        forbidden: ByteSet = []
    ) throws(Invalid) {
        var letters = [UInt8?](repeating: nil, count: 256)
        var meanings = [UInt8?](repeating: nil, count: 256)
        for (letter, byte) in meaning.sorted(by: { $0.key < $1.key }) {
            if let other = letters[Int(byte)] { throw .twoLetters(other, letter, both: byte) }
            letters[Int(byte)] = letter
            meanings[Int(letter)] = byte
        }
        guard letters[Int(escape)] != nil else { throw .escapeByteHasNoLetter }
        self.escape = escape
        self.letters = Letters(meaning, letters: letters, meanings: meanings)
        self.unknown = unknown
        self.lone = lone
        self.forbidden = forbidden
    }

    /// The byte that each letter represents.
    public var meaning: [UInt8: UInt8] { letters.meaning }

    /// Returns the letter that represents `byte`, or nil if `byte` needs no escape.
    public func letter(for byte: UInt8) -> UInt8? { letters.letters[Int(byte)] }

    /// Returns the byte that `letter` represents, or nil if it is not in the table.
    public func byte(for letter: UInt8) -> UInt8? { letters.meanings[Int(letter)] }

    /// The lookup tables, which are immutable and shared by all copies.
    private final class Letters: Sendable, Equatable {
        let meaning: [UInt8: UInt8]
        /// For each byte value, the letter that represents it, or nil.
        let letters: [UInt8?]
        /// For each letter, the byte that it represents, or nil.
        let meanings: [UInt8?]

        init(_ meaning: [UInt8: UInt8], letters: [UInt8?], meanings: [UInt8?]) {
            self.meaning = meaning
            self.letters = letters
            self.meanings = meanings
        }

        static func == (left: Letters, right: Letters) -> Bool { left.meaning == right.meaning }
    }
}

/// A dialect's escape rules for each part of a line.
public struct Escaping: Sendable, Equatable {
    /// Rule for fields between separators.
    public var field: EscapeRule
    /// Rule for the trailing field.
    public var trailing: EscapeRule
    /// Rule for the values of tags.
    public var tagValue: EscapeRule
    /// Rule for the keys of `key=value` fields.
    public var key: EscapeRule
    /// Rule for the values of `key=value` fields. In dialects with such fields, it also applies to
    /// fields without a key.
    public var value: EscapeRule
    /// Commands whose lines are not escaped at all (STOMP's CONNECT and CONNECTED).
    public var exemptVerbs: [[UInt8]]

    /// Creates escape rules; omitted rules default to `field`.
    public init(
        field: EscapeRule, trailing: EscapeRule? = nil, tagValue: EscapeRule? = nil,
        key: EscapeRule? = nil, value: EscapeRule? = nil, exemptVerbs: [[UInt8]] = []
    ) {
        self.field = field
        self.trailing = trailing ?? field
        self.tagValue = tagValue ?? field
        self.key = key ?? value ?? field
        self.value = value ?? field
        self.exemptVerbs = exemptVerbs
    }
}
