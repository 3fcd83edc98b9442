import Console
import ArgumentParser
import Report

/// The `--no-ci` option, for commands that adapt their output to a CI system.
struct CIOptions: ParsableArguments {
    @Flag(
        help: """
            Ignore CI variables: no GitHub annotations, log groups or step summary, and progress as on \
            a terminal.
            """)
    var noCi = false

    /// The manual's paragraph about CI systems.
    static let details = """
        With `GITHUB_ACTIONS=true`, failures also become annotations at the scenario line (an \
        unreachable server is a single error), the log is folded into groups, and a summary is \
        added to `$GITHUB_STEP_SUMMARY`. Text from a server cannot act as a workflow command: `::` \
        at the start of a line is written `\\u003A:`, and `##[` is written `#\\u0023[`. On other \
        CI systems (`CI=true`), progress is written as plain lines, without colour unless \
        `FORCE_COLOR` or `--color` asks for it. `--no-ci` turns all of this off, except that text \
        from a server still cannot act as a command.
        """

    /// The log for the CI system; plain text if there is none.
    var log: CILog {
        CILog(noCi ? nil : CISystem(environment: Environment.ofProcess)?.githubJob)
    }
}
