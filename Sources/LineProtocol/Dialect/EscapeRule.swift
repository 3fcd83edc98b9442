/// How bytes that mean something to the dialect are written inside a value.
public enum EscapeRule: Sendable, Equatable {
    /// They cannot be: a value with one of `forbidden` is refused.
    case none(forbidden: ByteSet)
    /// An escape byte and a letter stand for a byte.
    case table(EscapeTable)
    /// `%HH` (MSNP): every member of `encoded` is written so; any `%HH` is read.
    case percent(encoded: ByteSet)
    /// The byte is written twice.
    case doubling(UInt8, forbidden: ByteSet)
    /// Double quotes around the value, `\xHH` and `\"` inside (Redis inline commands).
    case quotes

    /// The byte whose presence makes unescaping necessary, or nil if none does.
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

/// An escape byte with its letters.
public struct EscapeTable: Sendable, Equatable {
    /// The byte that opens an escape.
    public let escape: UInt8
    private let letters: Letters
    /// What an escape with a letter outside the table means.
    public var unknown: Unknown
    /// What an escape byte at the value's end means.
    public var lone: Lone
    /// Bytes that can be neither sent as they are nor escaped.
    public var forbidden: ByteSet

    /// What an escape with a letter outside the table means.
    public enum Unknown: Sendable, Hashable {
        /// The letter itself (IRCv3 tags: `\b` is `b`).
        case letter
        /// Escape byte and letter as they stand.
        case verbatim
        /// An error (STOMP 1.2).
        case error
    }

    /// What an escape byte at the value's end means.
    public enum Lone: Sendable, Hashable {
        /// It is dropped (IRCv3 tags).
        case drop
        case verbatim
        case error
    }

    /// What is wrong with a table.
    public enum Invalid: Error, Equatable {
        /// The escape byte itself has no spelling, so it could never be sent.
        case escapeByteHasNoSpelling
        /// Two letters stand for the same byte: only one of them can be written.
        case twoLetters(UInt8, UInt8, both: UInt8)
    }

    /// - Parameter meaning: letter → byte. It must spell the escape byte itself.
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

    /// For each letter after the escape byte, what it stands for.
    public var meaning: [UInt8: UInt8] { letters.meaning }

    /// The letter that stands for `byte`, if it must be escaped.
    public func letter(for byte: UInt8) -> UInt8? { letters.letters[Int(byte)] }

    /// What `letter` after the escape byte stands for.
    public func byte(for letter: UInt8) -> UInt8? { letters.meanings[Int(letter)] }

    /// What is the same for all copies of a table.
    private final class Letters: Sendable, Equatable {
        let meaning: [UInt8: UInt8]
        /// For each byte value, the letter that stands for it, or nil.
        let letters: [UInt8?]
        /// For each letter, the byte that it stands for, or nil.
        let meanings: [UInt8?]

        init(_ meaning: [UInt8: UInt8], letters: [UInt8?], meanings: [UInt8?]) {
            self.meaning = meaning
            self.letters = letters
            self.meanings = meanings
        }

        static func == (left: Letters, right: Letters) -> Bool { left.meaning == right.meaning }
    }
}

/// The escape rules of a dialect, by place.
public struct Escaping: Sendable, Equatable {
    /// A field between separators.
    public var field: EscapeRule
    /// The trailing field.
    public var trailing: EscapeRule
    /// A tag's value.
    public var tagValue: EscapeRule
    /// Keys and values of `key=value` fields.
    public var key: EscapeRule
    /// The value of a `key=value` field, and fields beside them.
    public var value: EscapeRule
    /// Commands in whose lines nothing is escaped (STOMP's CONNECT and CONNECTED).
    public var exemptVerbs: [[UInt8]]

    /// The rules by place; where one is left out, `field` holds.
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
