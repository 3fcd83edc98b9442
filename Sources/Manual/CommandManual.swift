package import Results

/// The parts of a command's help, manual page and reference other than its options.
package struct CommandManual {
    /// A command line that users can copy.
    package struct Example {
        package let purpose: String
        package let command: String
    }

    package let examples: [Example]
    /// Exit codes with their meanings, in ascending order.
    package let exitCodes: [(code: ExitCode, meaning: String)]
    /// Paragraphs that appear in the manual page and the reference, but not in the help.
    package let details: [String]

    /// Creates the manual for a command.
    ///
    /// - Parameters:
    ///   - examples: command lines with their purposes.
    ///   - exitCodes: exit codes with a meaning specific to this command.
    ///   - general: exit codes with their general meaning.
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
