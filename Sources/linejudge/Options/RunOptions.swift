import ArgumentParser
import Report
import Runner

/// Which server is judged, and what it is.
struct TargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where it listens: host:port, tls://host:port, unix:/path.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Start it: {{port}} and {{dir}} stand for a free port and an empty folder.",
            valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "Play with this dialect, whatever a scenario names: NAME, FILE, or either with +PROFILE.",
            valueName: "name"))
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "What it is, for known failures: ngircd@26.1.", valueName: "name@version"))
    var software: String?

    @OptionGroup var trust: ServerTrustOptions
}

/// Which scenarios are played.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only those whose title or path has this text, or matches this glob. Repeatable: one must hold.",
            valueName: "text"))
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only those with this tag; !tag: without it. Repeatable.", valueName: "tag"))
    var tag: [String] = []

    @Flag(help: "Only those that did not pass the last time.")
    var lastFailed = false

    @Flag(help: "List what would be played, and end.")
    var list = false

    @Flag(help: "Read and check everything, but connect to nothing.")
    var dryRun = false
}

/// How the scenarios are played.
struct RunExecutionOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Scenarios at a time (1).", valueName: "count"),
        transform: NumberArgument.within(1...RunOptions.jobsMax, such: 4))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Try a failure again so often (0).", valueName: "count"),
        transform: NumberArgument.within(0...RunOptions.retriesMax, such: 2))
    var retry: Int?

    @Flag(help: "Play in an order that comes from the seed.")
    var shuffle = false

    @Flag(help: "End at the first failure.")
    var failFast = false

    @Option(
        help: ArgumentHelp(
            """
            Divide what is sent: whole, byte, random:SEED, coalesce, mid-crlf, mid-letter, \
            fin+data, or all. Repeatable: each scenario is played with each.
            """, valueName: "how"), transform: SegmentArgument.init)
    var segment: [SegmentArgument] = []

    @Option(
        name: .customLong("var"),
        help: ArgumentHelp("Give a variable a value. Repeatable.", valueName: "name=value"))
    var variables: [String] = []

    @Option(
        help: ArgumentHelp(
            "How long an expectation waits when it does not say (5s).", valueName: "time"),
        transform: DurationArgument.init)
    var timeoutStep: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "How long a scenario may take when it does not say (60s).", valueName: "time"),
        transform: DurationArgument.init)
    var timeoutFile: DurationArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where all that is random comes from; shown in reports.", valueName: "number"),
        transform: NumberArgument.seed)
    var seed: UInt64?

    @Flag(help: "Play again whenever a file changes.")
    var watch = false
}

/// What is shown of a run.
struct ShowingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What goes to standard output; unless it is pretty, the summary goes to standard error.
            """, valueName: "format"))
    var format = OutputFormat.pretty

    @Option(
        help: ArgumentHelp(
            """
            Write a report: pretty, json, junit, tap, github, html or sarif; FILE - is standard output. \
            Repeatable.
            """, valueName: "format=file"), transform: ReportArgument.init)
    var report: [ReportArgument<ReportFormat>] = []

    @Flag(help: "Show every line sent and received of what failed (with -v: of all).")
    var transcript = false

    @Option(
        help: ArgumentHelp(
            """
            Lines of the server that break the dialect's command table: warn (the default) tells them, \
            fail fails the run, off looks at none.
            """, valueName: "what"))
    var schema = SchemaArgument.warn

    @Flag(name: .shortAndLong, help: "Show only what went wrong, and the counts.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show more; twice: every line as it goes over the wire.")
    var verbose: Int

    @OptionGroup var colours: ColourOptions

    func validate() throws {
        if quiet, verbose > 0 { throw ValidationError("--quiet and --verbose exclude each other") }
        try validateStandardOutput(
            takes: report.count(where: \.goesToStandardOutput) + (format == .pretty ? 0 : 1))
    }
}
