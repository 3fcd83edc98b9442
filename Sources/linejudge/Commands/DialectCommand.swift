import ArgumentParser

/// The `linejudge dialect` command.
struct DialectCommand: ParsableCommand {
    static let name = "dialect"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "List, show, lint, explain and test dialects.",
        usage: "linejudge dialect COMMAND [OPTIONS]",
        subcommands: [
            DialectListCommand.self, DialectShowCommand.self, DialectLintCommand.self,
            DialectExplainCommand.self, DialectNewCommand.self, DialectTestCommand.self,
        ])
}
