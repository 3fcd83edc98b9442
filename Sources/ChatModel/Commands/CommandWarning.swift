/// Something about a line that is not as declared and yet no error: worth a line in a log, once a command.
public struct CommandWarning: Sendable, Hashable, CustomStringConvertible {
    /// The command's name in the dialect.
    public let command: String
    /// How many arguments more than it has came. They are ignored.
    public let extraArguments: Int

    /// A value from its parts.
    public init(command: String, extraArguments: Int) {
        self.command = command
        self.extraArguments = extraArguments
    }

    /// `didReceive: 2 arguments more than it has were ignored; not told again`.
    public var description: String {
        "\(command): \(extraArguments) arguments more than it has were ignored; not told again"
    }
}
