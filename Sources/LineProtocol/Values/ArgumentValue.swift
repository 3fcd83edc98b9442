/// The value of one argument, owning its bytes.
///
/// This is the form for messages that are built or shown; the decoder's own form,
/// ``DecodedArgument``, only points into the line.
public enum ArgumentValue: Sendable, Hashable {
    /// Left out.
    case absent
    case int(Int64)
    case bool(Bool)
    case decimal(Decimal64)
    case text([UInt8])
    case bytes([UInt8])
    case list([ArgumentValue])
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case time(Int64)
    /// The place in the type's list of words.
    case choice(Int)
    case json([UInt8])
    case xml([UInt8])

    /// The string's UTF-8.
    public static func text(_ string: String) -> ArgumentValue { .text(Array(string.utf8)) }
}
