package import Results

/// Text for a command's help, manual page and reference, in addition to its options.
package struct CommandManual {
    /// A command line for users to copy.
    package struct Example {
        package let purpose: String
        package let command: String
    }

    package let examples: [Example]
    /// Exit codes with their meanings, in ascending order.
    package let exitCodes: [(code: ExitCode, meaning: String)]
    /// Paragraphs for the manual page and the reference that the help omits.
    package let details: [String]

    /// Creates the manual for a command.
    ///
    /// - Parameters:
    ///   - examples: command lines, by purpose.
    ///   - exitCodes: codes whose meaning is specific to the command.
    ///   - general: codes that have their general meaning.
    package init(
        examples: KeyValuePairs<String, String>, exitCodes: KeyValuePairs<ExitCode, String> = [:],
        and general: [ExitCode] = [], details: [String] = []
    ) {
        self.examples = examples.map { Example(purpose: $0, command: $1) }
        self.exitCodes =
            (exitCodes.map { ($0, $1) } + general.map { ($0, $0.meaning) })
            .sorted { $0.code.rawValue < $1.code.rawValue }
        self.details = details
    }
}
