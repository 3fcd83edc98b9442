import ArgumentParser
import Results

/// A command whose help has examples and exit codes.
protocol ManualCommand: ParsableCommand {
    static var manual: CommandManual { get }
}

/// What the help, manual page and reference of a command contain besides its options.
struct CommandManual {
    /// A command line to copy.
    struct Example {
        let purpose: String
        let command: String
    }

    let examples: [Example]
    /// Exit codes with their meanings, in ascending order.
    let exitCodes: [(code: Ending, meaning: String)]
    /// Paragraphs of the manual page and the reference that the help leaves out.
    let details: [String]

    /// - Parameters:
    ///   - examples: command lines by what they do.
    ///   - exitCodes: codes whose meaning is specific to the command.
    ///   - general: codes with their general meaning.
    init(
        examples: KeyValuePairs<String, String>, exitCodes: KeyValuePairs<Ending, String> = [:],
        and general: [Ending] = [], details: [String] = []
    ) {
        self.examples = examples.map { Example(purpose: $0, command: $1) }
        self.exitCodes =
            (exitCodes.map { ($0, $1) } + general.map { ($0, $0.meaning) })
            .sorted { $0.code.rawValue < $1.code.rawValue }
        self.details = details
    }
}
