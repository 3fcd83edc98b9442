import Console
import Manual
import Results
import ArgumentParser

/// The root command, `linejudge`.
struct Linejudge: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "linejudge",
        abstract: "Conformance and load testing for line-based chat servers.",
        usage: "linejudge COMMAND [OPTIONS]",
        discussion: """
            Runs scenarios (scripted sessions) and generated checks against a server and reports every \
            difference, line by line. Also simulates thousands of users and decodes captures.

            Every option can also be set by an environment variable, such as LINEJUDGE_TIMEOUT_STEP for \
            --timeout-step.
            """,
        version: toolVersion,
        subcommands: [
            RunCommand.self, CheckCommand.self, FormatCommand.self, LintCommand.self,
            DialectCommand.self,
            ServeCommand.self, DecodeCommand.self, RecordCommand.self, LoadCommand.self,
            ReportCommand.self, CompareCommand.self, LoadWorkerCommand.self,
            GenerateDocsCommand.self,
        ])

    static let manual = CommandManual(
        examples: [
            "Run scenarios against a server":
                "linejudge run Scenarios/irc --server irc://127.0.0.1",
            "Check a server without writing scenarios":
                "linejudge check --server irc://127.0.0.1",
            "Simulate 1,000 users": "linejudge load --server irc://127.0.0.1 --operators 1000",
        ], and: Ending.allCases)

    /// The root command's page, which contains the pages of all other commands.
    static var page: CommandPage { CommandPage(Linejudge.self) }

    /// Output of `linejudge` without arguments.
    static let welcome = """
        linejudge \(toolVersion): conformance and load testing for line-based chat servers

          linejudge run FILES --server HOST:PORT   run scenarios against a server
          linejudge run FILES --exec COMMAND       start the server first
          linejudge run FILES                      run against the reference server
          linejudge check --server irc://HOST      check a server without scenarios
          linejudge load --server URL              simulate thousands of users
          linejudge report RESULTS                 regenerate reports; merge load results
          linejudge compare A B                    compare results files or captures
          linejudge fmt FILES                      format scenarios
          linejudge lint FILES                     find likely mistakes in scenarios
          linejudge dialect list                   list dialects
          linejudge serve                          run the reference server
          linejudge decode CAPTURE                 decode captured traffic
          linejudge record --server HOST:PORT      record a session as a scenario

        For options, run: linejudge COMMAND --help

        """

    func run() async throws {
        Output.standard.write(Self.welcome)
    }
}
