/// A typed argument of a decoded line. Its bytes stay in the line or, if they were unescaped, in
/// the message's scratch buffer.
public struct DecodedArgument: Sendable, Equatable, BitwiseCopyable {
    /// The value: the integer, the Boolean as 0 or 1, the time in nanoseconds since 1970, the index
    /// of the choice, or the digits of the decimal. For a variadic argument or a JSON array, the
    /// index of its first element in ``Message/elements``.
    public var number: Int64
    @usableFromInline var lower: Int32
    @usableFromInline var upper: Int32
    /// For a decimal, the number of decimal places; for a variadic argument or a JSON array, the
    /// number of elements.
    @usableFromInline var scale: Int32
    /// The type of the argument.
    public var kind: Kind
    @usableFromInline var isInScratch: Bool

    /// The declared type of an argument, or `absent` if it was omitted.
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        case absent, int, bool, decimal, text, bytes, list, time, choice, json, xml
    }

    @inlinable
    init(
        _ kind: Kind, number: Int64 = 0, scale: Int32 = 0, range: Range<Int> = 0..<0,
        isInScratch: Bool = false
    ) {
        self.number = number
        self.scale = scale
        self.kind = kind
        lower = Int32(truncatingIfNeeded: range.lowerBound)
        upper = Int32(truncatingIfNeeded: range.upperBound)
        self.isInScratch = isInScratch
    }

    @inline(__always)
    init(_ kind: Kind, _ number: Int64, _ lower: Int32, _ upper: Int32) {
        self.number = number
        self.lower = lower
        self.upper = upper
        scale = 0
        self.kind = kind
        isInScratch = false
    }

    @inlinable package var range: Range<Int> { Int(lower)..<Int(upper) }

    /// Location of the value in the decoded buffer; nil if the value is elsewhere, because it was
    /// unescaped.
    @inlinable package var bufferRange: Range<Int>? { isInScratch ? nil : range }

    /// True if the argument is not in the line, and its value was filled in.
    package var isFilledIn: Bool {
        // Lists and options have no range, but they have elements or a value.
        kind != .absent && !isInScratch && upper == 0 && number == 0 && scale == 0
    }

    /// True if the argument was omitted.
    @inlinable public var isAbsent: Bool { kind == .absent }
}

/// A deviation of a message from its command's signature.
public enum MessageIssue: Sendable, Hashable {
    case unknownCommand
    /// The line is not a JSON object, although the dialect requires one.
    case notJSON(JSONError)
    /// Required arguments are missing.
    case tooFew(missing: Int)
    /// The line has more fields than the command has arguments.
    case tooMany(extra: Int)
    /// The argument at this index does not have its declared type.
    case invalidArgument(Int)
    /// The argument at this index has an invalid escape sequence.
    case badEscape(Int, EscapeError)

    package var isTooFew: Bool { if case .tooFew = self { true } else { false } }
    package var isTooMany: Bool { if case .tooMany = self { true } else { false } }

    /// Returns true if `tolerance` accepts the message despite the issue.
    public func isTolerated(by tolerance: Tolerance) -> Bool {
        switch self {
        case .unknownCommand, .notJSON, .badEscape: false
        case .tooFew: tolerance.tooFew != .reject
        case .tooMany: tolerance.tooMany != .reject
        case .invalidArgument: tolerance.mismatch != .reject
        }
    }
}
