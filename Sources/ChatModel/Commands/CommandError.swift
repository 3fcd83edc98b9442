/// Why a command could not be bound to its dialect, read or sent: it names the command, the argument and its
/// position, so that a log line is enough to find the place.
public struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A stable word: `command.value-mismatch`.
        public let id: String

        /// The dialect has no command of this name in this direction.
        public static let unknownCommand = Code(id: "command.unknown")
        /// The type states an argument that the dialect's command does not have.
        public static let unknownArgument = Code(id: "command.unknown-argument")
        /// The type's property and the dialect's argument are of types that do not convert.
        public static let typeMismatch = Code(id: "command.type-mismatch")
        /// A value that came is not of the declared type, and the dialect does not let it pass.
        public static let valueMismatch = Code(id: "command.value-mismatch")
        /// A required argument did not come, and the dialect does not fill it.
        public static let missingArgument = Code(id: "command.missing-argument")
        /// More arguments came than the command has, and the dialect refuses them.
        public static let extraArguments = Code(id: "command.extra-arguments")
        /// A line is not framed as the dialect has it: it is too long, or cut off.
        public static let badFrame = Code(id: "command.bad-frame")
        /// The value cannot be written in this dialect.
        public static let unsendable = Code(id: "command.unsendable")

        /// The word.
        public var description: String { id }
    }

    /// What kind of failure it is.
    public let code: Code
    /// The command's name in the dialect, such as `didReceive`.
    public let command: String
    /// The argument's name in the dialect, or nil where the whole command is meant.
    public let argument: String?
    /// The argument's place among the command's arguments, from 0, or nil.
    public let position: Int?
    /// What was expected and what came, for people.
    public let message: String

    /// A value from its parts.
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

    /// `didReceive, argument 2 (sender): …`: arguments are counted from 1 for people.
    public var description: String {
        var place = command
        if let position { place += ", argument \(position + 1)" }
        if let argument { place += position == nil ? ", \(argument)" : " (\(argument))" }
        return "\(place): \(message)"
    }
}
