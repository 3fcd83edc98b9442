/// A warning about surplus arguments, which are tolerated and ignored. Issued only once for each
/// command of the dialect.
public struct CommandWarning: Sendable, Hashable, CustomStringConvertible {
    /// The command's name in the dialect.
    public let command: String
    /// Number of surplus arguments.
    public let extraArguments: Int

    /// Creates a warning from its parts.
    public init(command: String, extraArguments: Int) {
        self.command = command
        self.extraArguments = extraArguments
    }

    /// A human-readable description, such as `didReceive: surplus arguments ignored: 2 (reported
    /// once per command)`.
    public var description: String {
        "\(command): surplus arguments ignored: \(extraArguments) (reported once per command)"
    }
}
