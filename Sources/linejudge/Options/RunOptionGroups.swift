import ArgumentParser
import Jobs
import Report
import Runner

/// Options for what to assume about the server to test.
struct TargetOptions: ParsableArguments {
    @Flag(help: "Refuse scenarios that start programs with an exec line.")
    var noExec = false

    @Option(
        help: ArgumentHelp(
            "Dialect to use instead of the scenario's own: NAME, FILE, or either with +PROFILE.",
            valueName: "name"), completion: .dialect)
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "Server software, used to match known failures: ngircd@26.1.",
            valueName: "name@version"))
    var software: String?
}

/// Options for choosing which scenarios to run.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Only run scenarios whose title or path contains this text or matches this glob. \
            Repeatable; one match is enough.
            """, valueName: "text"))
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Only run scenarios with this tag; a,b means either, !a excludes a tag. Repeatable; all \
            must match.
            """, valueName: "tag"), completion: .tag)
    var tag: [String] = []

    @Flag(help: "Only run scenarios that failed when they last ran.")
    var lastFailed = false

    @Flag(help: "List the selected scenarios and exit.")
    var list = false

    @Flag(help: "Parse and check everything without connecting to a server.")
    var dryRun = false
}

/// Options for how to run scenarios.
struct RunExecutionOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            "Number of scenarios to run in parallel (default: 1).", valueName: "count"),
        transform: NumberArgument.within(1...RunOptions.jobsMax, such: 4))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Retry failed scenarios up to this many times (default: 0).", valueName: "count"),
        transform: NumberArgument.within(0...RunOptions.retriesMax, such: 2))
    var retry: Int?

    @Flag(help: "Run scenarios in a random order that depends on the seed.")
    var shuffle = false

    @Flag(help: "Keep operator and room names as written even if runs share a server.")
    var keepNames = false

    @Flag(help: "Stop at the first failure.")
    var failFast = false

    @Option(
        help: ArgumentHelp(
            """
            Split sent bytes into writes: whole, byte, random:SEED, coalesce, mid-crlf, mid-letter, \
            fin+data or all. Repeatable; every scenario runs once with each.
            """, valueName: "how"), completion: .list(SegmentArgument.words),
        transform: SegmentArgument.init)
    var segment: [SegmentArgument] = []

    @Option(
        help: ArgumentHelp(
            "Time limit for scenarios that do not set one (default: 60s).", valueName: "time"),
        transform: DurationArgument.init)
    var timeoutFile: DurationArgument?

    @Flag(help: "Run again whenever a scenario or dialect file changes, until Ctrl-C.")
    var watch = false
}

/// Options for the reports and progress display of `run`.
struct RunOutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Format of standard output. With any format except pretty, the summary goes to standard \
            error.
            """,
            valueName: "format"))
    var format = OutputFormat.pretty

    @Flag(
        help: "Show all lines sent and received in failed scenarios (with -v, in all scenarios).")
    var transcript = false

    @Option(help: SchemaMode.help)
    var schema = SchemaMode.warn

    @Flag(name: .shortAndLong, help: "Only show failures and counts.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: "Show more detail; -vv also shows every line sent and received.")
    var verbose: Int

    func validate() throws {
        if quiet, verbose > 0 {
            throw ValidationError("--quiet and --verbose cannot be used together")
        }
    }
}
