/// A field of a line, stored as ranges in the line's buffer.
public struct Field: Sendable, Equatable, BitwiseCopyable {
    @usableFromInline var lower: Int32
    @usableFromInline var upper: Int32
    /// Offset of the end of the key in a `key=value` field or a JSON member, or -1.
    @usableFromInline var keyUpper: Int32
    /// Index of the field's row, or, for a JSON member, the offset of its value.
    @usableFromInline var rowOrValue: Int32
    /// True if the field contains an escape byte and must therefore be unescaped.
    public var hasEscape: Bool
    /// True if the key is a JSON string with an escape sequence.
    @usableFromInline var keyHasEscape = false
    /// The notation of the field.
    public var form: Form

    /// Notation of a field, such as plain, quoted or `key=value`.
    public enum Form: UInt8, Sendable, BitwiseCopyable {
        case plain
        /// Starts with the trailing marker and extends to the end of the line.
        case trailing
        case keyValue
        /// `-name`: a key without a value.
        case option
        /// Written in double quotes; the ranges exclude them.
        case quoted
        /// Taken literally: the bytes are never part of an escape sequence (RESP).
        case verbatim
        /// A JSON object member with a string value. The ranges exclude the quotes.
        case jsonString
        /// A JSON object member with any value other than a string.
        case jsonValue
    }

    @inlinable
    init(
        _ range: Range<Int>, keyUpper: Int = -1, row: Int = 0, hasEscape: Bool = false,
        form: Form = .plain
    ) {
        lower = Int32(truncatingIfNeeded: range.lowerBound)
        upper = Int32(truncatingIfNeeded: range.upperBound)
        self.keyUpper = Int32(truncatingIfNeeded: keyUpper)
        rowOrValue = Int32(truncatingIfNeeded: row)
        self.hasEscape = hasEscape
        self.form = form
    }

    @inline(__always)
    init(_ lower: Int, _ upper: Int, _ hasEscape: Bool) {
        self.lower = Int32(truncatingIfNeeded: lower)
        self.upper = Int32(truncatingIfNeeded: upper)
        keyUpper = -1
        rowOrValue = 0
        self.hasEscape = hasEscape
        form = .plain
    }

    /// Creates a field for a JSON object member, or for an array element, which has an empty key.
    @inline(__always)
    init(_ key: JSONScanner.Token, _ value: JSONScanner.Token) {
        lower = Int32(truncatingIfNeeded: key.lower)
        keyUpper = Int32(truncatingIfNeeded: key.upper)
        rowOrValue = Int32(truncatingIfNeeded: value.lower)
        upper = Int32(truncatingIfNeeded: value.upper)
        hasEscape = value.hasEscape
        keyHasEscape = key.hasEscape
        form = value.isString ? .jsonString : .jsonValue
    }

    /// Index of the row that contains the field, from 0; always 0 in dialects without rows.
    @inlinable public var row: Int32 { isMember ? 0 : rowOrValue }

    /// True for a member of a JSON object.
    @inlinable public var isMember: Bool { form == .jsonString || form == .jsonValue }

    /// Range of the field without its marker, dash or quotes.
    @inlinable public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// Range of the key of a `key=value` field or JSON member, or of an option's name; nil for
    /// other forms.
    @inlinable public var key: Range<Int>? {
        switch form {
        case .keyValue, .jsonString, .jsonValue: Int(lower)..<Int(keyUpper)
        case .option: range
        default: nil
        }
    }

    /// Range of the value of a `key=value` field or JSON member; the whole ``range`` for other
    /// forms.
    @inlinable public var value: Range<Int> {
        switch form {
        case .keyValue: Int(keyUpper + 1)..<Int(upper)
        case .jsonString, .jsonValue: Int(rowOrValue)..<Int(upper)
        default: range
        }
    }

    /// Range of a JSON member's value, including the quotes if the value is a string.
    public var json: Range<Int> {
        form == .jsonString ? (value.lowerBound - 1)..<(value.upperBound + 1) : value
    }
}
