/// One typed argument of a decoded line. Text stays where it stands: in the line, or, if it had to be
/// unescaped, in the message's scratch bytes.
public struct DecodedArgument: Sendable, Equatable, BitwiseCopyable {
    /// An int, a bool as 0 or 1, a time in nanoseconds since 1970, a choice's place, a decimal's digits; of
    /// a variadic argument the place of its first element in ``Message/elements``.
    public var number: Int64
    @usableFromInline var lower: Int32
    @usableFromInline var upper: Int32
    /// A decimal's digits after the point; how many elements a variadic argument has.
    @usableFromInline var scale: Int32
    /// What the argument is.
    public var kind: Kind
    @usableFromInline var isInScratch: Bool

    /// The type that the argument was declared with; `absent` where it is left out.
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

    @inlinable var range: Range<Int> { Int(lower)..<Int(upper) }

    /// Whether the argument is left out.
    public var isAbsent: Bool { kind == .absent }
}

/// What is not as declared in a message.
public enum MessageIssue: Sendable, Hashable {
    case unknownCommand
    /// So many required arguments are missing.
    case tooFew(missing: Int)
    /// So many fields are more than the command has arguments.
    case tooMany(extra: Int)
    /// The argument at this place of the signature is not of its type.
    case invalidArgument(Int)
    /// The argument at this place has an escape that means nothing.
    case badEscape(Int, EscapeError)

    /// Whether `tolerance` lets the message stand in spite of the issue.
    public func isTolerated(by tolerance: Tolerance) -> Bool {
        switch self {
        case .unknownCommand, .badEscape: false
        case .tooFew: tolerance.tooFew != .reject
        case .tooMany: tolerance.tooMany != .reject
        case .invalidArgument: tolerance.mismatch != .reject
        }
    }
}
