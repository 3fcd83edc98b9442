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
/// This type represents the dialect's command `didReceive`, whatever the command's name and
/// argument order on the wire. The compiler's `Codable` conformance provides the properties; the
/// dialect's command table defines the argument types and positions. If the type does not fit the
/// table, binding it fails, so the mismatch is found before the first line arrives.
///
/// A property may be a `Bool`, any integer, `Double`, `Decimal64`, `String`, `[UInt8]`,
/// ``Timestamp``, an array of these, an enumeration whose cases are the words of a choice, or a
/// type with its own conversion (``CommandArgument``), such as one for JSON or XML. If an argument
/// is missing, an optional property is nil, and any other property is empty, 0 or false.
public protocol ChatCommand: Codable, Sendable {
    /// The command's name in dialects. Defaults to the type's name with a lower-case first letter.
    static var name: String { get }

    /// Changes the dialect's escaping, tolerance and field syntax for this command only, in both
    /// directions. The default implementation changes nothing.
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
