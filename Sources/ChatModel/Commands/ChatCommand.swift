public import LineProtocol

/// A command as a Swift type: the type's name is the command's name and its properties are the
/// arguments.
///
/// ```swift
/// struct DidReceive: ChatCommand {
///     var identifier = 0
///     var text = ""
///     var sender = ""
///     var conference = 0
///     var hidden = false
/// }
/// ```
///
/// This is the dialect's command `didReceive`, whatever its name and argument order on the wire.
/// The compiler's `Codable` conformance provides the properties; the dialect's command table
/// defines the argument types and positions. A type that does not fit the table is reported when it
/// is bound, not when a line arrives.
///
/// A property may be a `Bool`, any integer, `Double`, `Decimal64`, `String`, `[UInt8]`,
/// ``Timestamp``, an array of these, an enumeration of a choice's words, or a type with its own
/// conversion (``CommandArgument``), such as JSON or XML. An optional property is nil if the
/// argument is missing; any other is then empty, 0 or false.
public protocol ChatCommand: Codable, Sendable {
    /// The command's name in dialects. Defaults to the type's name with a lower-case first letter.
    static var name: String { get }

    /// Changes the format rules for this command only, in both directions: escaping, tolerance and
    /// field syntax. Changes nothing by default.
    static func format(_ dialect: inout Dialect)
}

extension ChatCommand {
    /// The type's name with a lower-case first letter: `DidReceive` becomes `didReceive`.
    public static var name: String {
        let type = String(describing: Self.self)
        return type.prefix(1).lowercased() + type.dropFirst()
    }

    /// Changes nothing.
    public static func format(_ dialect: inout Dialect) {}
}
