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
    public var escape: UInt8
    /// For each letter after the escape byte, what it stands for.
    public private(set) var meaning: [UInt8: UInt8]
    /// For each byte value, the letter that stands for it, or nil.
    @usableFromInline var letters: [UInt8?]
    @usableFromInline var meanings: [UInt8?]
    public var unknown: Unknown
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
        self.meaning = meaning
        self.letters = letters
        self.meanings = meanings
        self.unknown = unknown
        self.lone = lone
        self.forbidden = forbidden
    }

    /// The letter that stands for `byte`, if it must be escaped.
    @inlinable public func letter(for byte: UInt8) -> UInt8? { letters[Int(byte)] }

    /// What `letter` after the escape byte stands for.
    @inlinable public func byte(for letter: UInt8) -> UInt8? { meanings[Int(letter)] }
}

/// The escape rules of a dialect, by place.
public struct Escaping: Sendable, Equatable {
    /// A field between separators.
    public var field: EscapeRule
    /// The trailing field.
    public var trailing: EscapeRule
    public var tagValue: EscapeRule
    /// Keys and values of `key=value` fields.
    public var key: EscapeRule
    public var value: EscapeRule
    /// Commands in whose lines nothing is escaped (STOMP's CONNECT and CONNECTED).
    public var exemptVerbs: [[UInt8]]

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
