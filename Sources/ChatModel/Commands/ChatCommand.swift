public import LineProtocol

/// A command as a Swift type: its name is the command's, its properties are the arguments, and both are stated
/// once.
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
/// is the command `didReceive` of the dialect, whatever it is called and in which order its arguments stand on the
/// wire. The compiler's `Codable` names and visits the properties; the dialect's table types and places them. What
/// does not fit the table is told when the type is bound, not when a line comes.
///
/// A property may be `Bool`, any integer, `Double`, `Decimal64`, `String`, `[UInt8]`, ``Timestamp``, an array of
/// these, an enumeration of the words of a choice, or a type that converts itself (``CommandArgument``), as JSON and
/// XML do. An optional property is nil where the argument is left out; any other one is then empty, 0 or false.
public protocol ChatCommand: Codable, Sendable {
    /// The command's name in dialects: by default the type's own name, its first letter in lower case.
    static var name: String { get }

    /// Changes the rules of format for this command alone, in both directions: its escaping, its tolerance,
    /// how its line is divided. By default it changes nothing.
    static func format(_ dialect: inout Dialect)
}

extension ChatCommand {
    /// The type's own name, its first letter in lower case: `DidReceive` is `didReceive`.
    public static var name: String {
        let type = String(describing: Self.self)
        return type.prefix(1).lowercased() + type.dropFirst()
    }

    /// Changes nothing.
    public static func format(_ dialect: inout Dialect) {}
}
