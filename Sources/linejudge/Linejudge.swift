import ArgumentParser

/// The version that `--version` and every report tell.
let toolVersion = "0.1.0"

/// The command without a subcommand.
struct Linejudge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "linejudge",
        abstract: "Judges chat servers that speak in lines.",
        discussion: """
            Plays scenarios (scripted transcripts) against a server and says, line by line, what \
            differed.

            Every option can also be given as an environment variable: --timeout-step as \
            LINEJUDGE_TIMEOUT_STEP.
            """,
        version: toolVersion,
        subcommands: [
            RunCommand.self, CheckCommand.self, FormatCommand.self, LintCommand.self,
            DialectCommand.self,
            ServeCommand.self, DecodeCommand.self, RecordCommand.self, LoadCommand.self,
            ReportCommand.self, CompareCommand.self, LoadWorkerCommand.self,
        ])

    /// The words that can follow `linejudge`.
    static var commandNames: [String] {
        configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
            .compactMap { $0.commandName }
    }

    /// What is said to somebody who typed nothing more.
    static let welcome = """
        linejudge \(toolVersion) judges chat servers that speak in lines.

          linejudge run FILES --server HOST:PORT   play scenarios against a server
          linejudge run FILES --exec COMMAND       start the server for it
          linejudge run FILES                      play against the built-in server
          linejudge check --server irc://HOST      what is wrong in it, with no scenario
          linejudge load --server URL              thousands of operators at once
          linejudge report RESULTS                 reports of results once more; merges loads
          linejudge compare A B                    two results side by side
          linejudge fmt FILES                      format scenarios
          linejudge lint FILES                     find what is hardly meant so
          linejudge dialect list                   how which server speaks
          linejudge serve                          the built-in server by itself
          linejudge decode CAPTURE                 what captured traffic says
          linejudge record --server HOST:PORT      write a scenario of what a client says

        More: linejudge COMMAND --help

        """

    func run() async throws {
        Output.standard.write(Self.welcome)
    }
}
