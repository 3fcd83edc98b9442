/// An argument value that owns its bytes.
///
/// It is used to build and display messages. The decoder uses ``DecodedArgument`` instead, which
/// refers to the line.
public enum ArgumentValue: Sendable, Hashable {
    /// The argument is omitted.
    case absent
    case int(Int64)
    case bool(Bool)
    case decimal(Decimal64)
    case text([UInt8])
    case bytes([UInt8])
    case list([ArgumentValue])
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case time(Int64)
    /// Index in the type's list of words.
    case choice(Int)
    case json([UInt8])
    case xml([UInt8])

    /// Returns the string as text in UTF-8.
    public static func text(_ string: String) -> ArgumentValue { .text(Array(string.utf8)) }
}
