/// A field of a line, as ranges into the buffer that contains the line.
public struct Field: Sendable, Equatable, BitwiseCopyable {
    @usableFromInline var lower: Int32
    @usableFromInline var upper: Int32
    /// End of the key in a `key=value` field, or -1.
    @usableFromInline var keyUpper: Int32
    /// Row index from 0; always 0 in dialects without rows.
    public var row: Int32
    /// True if the field contains an escape byte and must be unescaped.
    public var hasEscape: Bool
    /// The form of the field.
    public var form: Form

    /// The form of a field.
    public enum Form: UInt8, Sendable, BitwiseCopyable {
        case plain
        /// Starts with the trailing marker; takes the rest of the line.
        case trailing
        case keyValue
        /// `-name`, a key without a value.
        case option
        /// Written in double quotes, which the ranges exclude.
        case quoted
    }

    @inlinable
    init(
        _ range: Range<Int>, keyUpper: Int = -1, row: Int = 0, hasEscape: Bool = false,
        form: Form = .plain
    ) {
        lower = Int32(truncatingIfNeeded: range.lowerBound)
        upper = Int32(truncatingIfNeeded: range.upperBound)
        self.keyUpper = Int32(truncatingIfNeeded: keyUpper)
        self.row = Int32(truncatingIfNeeded: row)
        self.hasEscape = hasEscape
        self.form = form
    }

    @inline(__always)
    init(_ lower: Int, _ upper: Int, _ hasEscape: Bool) {
        self.lower = Int32(truncatingIfNeeded: lower)
        self.upper = Int32(truncatingIfNeeded: upper)
        keyUpper = -1
        row = 0
        self.hasEscape = hasEscape
        form = .plain
    }

    /// The field without its marker, dash or quotes.
    @inlinable public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// The key of a `key=value` field or the name of an option; nil for other forms.
    @inlinable public var key: Range<Int>? {
        switch form {
        case .keyValue: Int(lower)..<Int(keyUpper)
        case .option: range
        default: nil
        }
    }

    /// The value after the assignment byte; the whole field if it has no key.
    @inlinable public var value: Range<Int> {
        form == .keyValue ? Int(keyUpper + 1)..<Int(upper) : range
    }
}
