/// The way special bytes are written inside a value.
public enum EscapeRule: Sendable, Equatable {
    /// No escaping: a value that contains a byte in `forbidden` is refused.
    case none(forbidden: ByteSet)
    /// An escape byte followed by a letter.
    case table(EscapeTable)
    /// `%HH` (MSNP). Members of `encoded` are encoded; any `%HH` is decoded.
    case percent(encoded: ByteSet)
    /// The byte is doubled.
    case doubling(UInt8, forbidden: ByteSet)
    /// Double quotes around the value, with `\xHH` and `\"` escapes inside (Redis inline commands).
    case quotes

    /// The byte that indicates that a value must be unescaped, or nil.
    @inlinable public var marker: UInt8? {
        switch self {
        case .none: nil
        case .table(let table): table.escape
        case .percent: ASCII.percent
        case .doubling(let byte, _): byte
        case .quotes: ASCII.backslash
        }
    }
}

/// An escape byte and the letters that follow it.
public struct EscapeTable: Sendable, Equatable {
    /// The byte that starts an escape sequence.
    public let escape: UInt8
    private let letters: Letters
    /// Handling of an unknown letter after the escape byte.
    public var unknown: Unknown
    /// Handling of an escape byte at the end of a value.
    public var lone: Lone
    /// Bytes that can be sent neither literally nor escaped.
    public var forbidden: ByteSet

    /// Handling of an unknown letter after the escape byte.
    public enum Unknown: Sendable, Hashable {
        /// It stands for the letter itself (IRCv3 tags: `\b` is `b`).
        case letter
        /// It stands for the escape byte followed by the letter.
        case verbatim
        /// It is an error (STOMP 1.2).
        case error
    }

    /// Handling of an escape byte at the end of a value.
    public enum Lone: Sendable, Hashable {
        /// It is dropped (IRCv3 tags).
        case drop
        case verbatim
        case error
    }

    /// Error in the definition of an escape table.
    public enum Invalid: Error, Equatable {
        /// The table has no letter for the escape byte, so it could never be sent.
        case escapeByteHasNoSpelling
        /// Two letters represent the same byte.
        case twoLetters(UInt8, UInt8, both: UInt8)
    }

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - escape: the byte that starts an escape sequence.
    ///   - meaning: the byte for each letter. It must include the escape byte.
    ///   - unknown: the meaning of the escape byte before any other letter.
    ///   - lone: the meaning of the escape byte at the end of a value.
    ///   - forbidden: bytes that can be sent neither literally nor escaped.
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
        guard letters[Int(escape)] != nil else { throw .escapeByteHasNoSpelling }
        self.escape = escape
        self.letters = Letters(meaning, letters: letters, meanings: meanings)
        self.unknown = unknown
        self.lone = lone
        self.forbidden = forbidden
    }

    /// The byte that each letter represents.
    public var meaning: [UInt8: UInt8] { letters.meaning }

    /// Returns the letter that represents `byte`, or nil if it needs no escape.
    public func letter(for byte: UInt8) -> UInt8? { letters.letters[Int(byte)] }

    /// Returns the byte that `letter` represents, or nil if it represents none.
    public func byte(for letter: UInt8) -> UInt8? { letters.meanings[Int(letter)] }

    /// The immutable tables, shared by all copies.
    private final class Letters: Sendable, Equatable {
        let meaning: [UInt8: UInt8]
        /// The letter for each byte value, or nil if there is none.
        let letters: [UInt8?]
        /// The byte for each letter, or nil if there is none.
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
    /// Fields between separators.
    public var field: EscapeRule
    /// The trailing field.
    public var trailing: EscapeRule
    /// Values of tags.
    public var tagValue: EscapeRule
    /// Keys of `key=value` fields.
    public var key: EscapeRule
    /// Values of `key=value` fields, and fields without a key in such dialects.
    public var value: EscapeRule
    /// Commands whose lines are not escaped (STOMP's CONNECT and CONNECTED).
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
