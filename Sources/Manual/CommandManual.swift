package import Results

/// A command's examples, exit codes and details, for its help, manual page and reference.
package struct CommandManual {
    /// An example command line, with its purpose.
    package struct Example {
        package let purpose: String
        package let command: String
    }

    package let examples: [Example]
    /// Exit codes with their meanings, in ascending order.
    package let exitCodes: [(code: ExitCode, meaning: String)]
    /// Paragraphs for the manual page and the reference, but not the help.
    package let details: [String]
    /// Subjects that other manuals also describe. The manual page contains their text, and the
    /// reference has a section for each.
    package let topics: [ManualTopic]

    /// Creates the manual for a command.
    ///
    /// - Parameters:
    ///   - examples: Command lines with their purposes.
    ///   - exitCodes: Exit codes with a meaning specific to this command.
    ///   - general: Exit codes with their general meaning.
    package init(
        examples: KeyValuePairs<String, String>, exitCodes: KeyValuePairs<ExitCode, String> = [:],
        and general: [ExitCode] = [], details: [String] = [], topics: [ManualTopic] = []
    ) {
        self.examples = examples.map { Example(purpose: $0, command: $1) }
        self.exitCodes =
            (exitCodes.map { ($0, $1) } + general.map { ($0, $0.meaning) })
            .sorted { $0.code.rawValue < $1.code.rawValue }
        self.details = details
        self.topics = topics
    }
}
