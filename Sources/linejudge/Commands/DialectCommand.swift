import ArgumentParser

/// `linejudge dialect`
struct DialectCommand: ParsableCommand {
    static let name = "dialect"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "List, show, check and explain dialects: how a server speaks.",
        subcommands: [
            DialectListCommand.self, DialectShowCommand.self, DialectLintCommand.self,
            DialectExplainCommand.self, DialectNewCommand.self,
        ])

    /// The words that can follow `linejudge dialect`.
    static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName }
    }
}
