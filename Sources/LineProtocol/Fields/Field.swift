/// One field of a line, as ranges in the buffer that the line stands in.
public struct Field: Sendable, Equatable, BitwiseCopyable {
    @usableFromInline var lower: Int32
    @usableFromInline var upper: Int32
    /// The end of the key of a `key=value` field, or -1.
    @usableFromInline var keyUpper: Int32
    /// Counts from 0; always 0 where lines have no rows.
    public var row: Int32
    /// Whether the field holds the byte that opens an escape, so that it has to be unescaped.
    public var hasEscape: Bool
    /// How the field is written.
    public var form: Form

    /// How a field is written.
    public enum Form: UInt8, Sendable, BitwiseCopyable {
        case plain
        /// Opened by the trailing marker: took the rest of the line.
        case trailing
        case keyValue
        /// `-name`, a key without a value.
        case option
        /// In double quotes; the ranges lie between them.
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

    /// A plain field.
    @inline(__always)
    init(_ lower: Int, _ upper: Int, _ hasEscape: Bool) {
        self.lower = Int32(truncatingIfNeeded: lower)
        self.upper = Int32(truncatingIfNeeded: upper)
        keyUpper = -1
        row = 0
        self.hasEscape = hasEscape
        form = .plain
    }

    /// The field without the marker, the dash or the quotes around it.
    @inlinable public var range: Range<Int> { Int(lower)..<Int(upper) }

    /// The key of a `key=value` field or the name of an option.
    @inlinable public var key: Range<Int>? {
        switch form {
        case .keyValue: Int(lower)..<Int(keyUpper)
        case .option: range
        default: nil
        }
    }

    /// The value: after the assignment, or the whole field.
    @inlinable public var value: Range<Int> {
        form == .keyValue ? Int(keyUpper + 1)..<Int(upper) : range
    }
}
