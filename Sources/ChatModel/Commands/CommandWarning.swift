/// A tolerated deviation that is worth logging; reported once per command.
public struct CommandWarning: Sendable, Hashable, CustomStringConvertible {
    /// The command's name in the dialect.
    public let command: String
    /// Number of surplus arguments, which are ignored.
    public let extraArguments: Int

    /// Creates a warning from its parts.
    public init(command: String, extraArguments: Int) {
        self.command = command
        self.extraArguments = extraArguments
    }

    /// A human-readable description, such as `didReceive: ignored 2 surplus arguments; reported
    /// once per command`.
    public var description: String {
        "\(command): surplus arguments ignored: \(extraArguments) (reported once per command)"
    }
}
