/// An error from binding, decoding or encoding a command. It includes the command, the argument and
/// its position, so a log line is enough to locate the cause.
public struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of command error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// Stable identifier, such as `command.value-mismatch`.
        public let id: String

        /// The dialect has no command with this name in this direction.
        public static let unknownCommand = Code(id: "command.unknown")
        /// The type has a property that is not an argument of the dialect's command.
        public static let unknownArgument = Code(id: "command.unknown-argument")
        /// The property's type cannot be converted to and from the argument's type.
        public static let typeMismatch = Code(id: "command.type-mismatch")
        /// A received value does not have the declared type, and the dialect does not tolerate it.
        public static let valueMismatch = Code(id: "command.value-mismatch")
        /// A required argument is missing and has no default.
        public static let missingArgument = Code(id: "command.missing-argument")
        /// The line has more arguments than the command defines, and the dialect does not tolerate
        /// that.
        public static let extraArguments = Code(id: "command.extra-arguments")
        /// The frame is invalid, for example because it is too long or truncated.
        public static let badFrame = Code(id: "command.bad-frame")
        /// The value cannot be encoded in this dialect.
        public static let unsendable = Code(id: "command.unsendable")

        /// The stable identifier.
        public var description: String { id }
    }

    /// The kind of failure.
    public let code: Code
    /// The command's name in the dialect, such as `didReceive`; empty if the frame is invalid.
    public let command: String
    /// The argument's name in the dialect; nil if the error concerns the whole command.
    public let argument: String?
    /// The argument's index, from 0; nil if unknown.
    public let position: Int?
    /// A human-readable description of what was expected and what was found.
    public let message: String

    /// Creates an error from its parts.
    public init(
        _ code: Code, command: String, argument: String? = nil, position: Int? = nil,
        message: String
    ) {
        self.code = code
        self.command = command
        self.argument = argument
        self.position = position
        self.message = message
    }

    /// Command, argument and message, such as `didReceive, argument 2 (sender): …`. Arguments are
    /// counted from 1. Only the message if there is no command.
    public var description: String {
        if command.isEmpty { return message }
        var location = command
        if let position { location += ", argument \(position + 1)" }
        if let argument { location += position == nil ? ", \(argument)" : " (\(argument))" }
        return "\(location): \(message)"
    }
}
