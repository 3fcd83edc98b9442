import ArgumentParser
import Conformance
import Diagnostics
import Report

/// Which checks are played.
struct CheckSelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only these: frame, frame.max, arity.few:JOIN, 'arity.*'. Repeatable.",
            valueName: "glob"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Not these. Repeatable.", valueName: "glob"))
    var skip: [String] = []

    @Flag(help: "List the checks of the dialect, with what they rest on, and end.")
    var list = false
}

/// How checks are played.
struct CheckExecutionOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            "Checks at a time, where they cannot disturb each other (8).", valueName: "count"),
        transform: NumberArgument.within(1...CheckOptions.jobsMax, such: 8))
    var jobs: Int?

    @Option(
        name: .customLong("repeat"), parsing: .unconditional,
        help: ArgumentHelp("Play a failure again so often, by itself (3).", valueName: "count"),
        transform: NumberArgument.within(0...CheckOptions.repeatMax, such: 20))
    var repetitions: Int?

    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "Give a variable of the dialect's behaviours a value. Repeatable.",
            valueName: "name=value"))
    var variables: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where names, order and all that is random come from; shown in reports.",
            valueName: "number"),
        transform: NumberArgument.seed)
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            """
            Instead of the checks, send lines that are made from valid ones by mutation, for so long: \
            whatever is sent, the server must answer or close, and serve others.
            """, valueName: "time"), transform: DurationArgument.init)
    var fuzz: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Where --fuzz keeps inputs that had new answers, and takes them from the next time.",
            valueName: "folder"))
    var corpus: String?

    @Flag(help: "Play checks that wait for long, and 10,000 connections instead of 500.")
    var slow = false

    @Flag(
        help: """
            Let count what is late, what fails now and then, and what a clause only allows (MAY).
            """)
    var strict = false

    func validate() throws {
        if corpus != nil, fuzz == nil {
            throw ValidationError("--corpus is of use with --fuzz only")
        }
    }
}

/// What is shown of checks.
struct CheckShowingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a scenario for each failure into this folder.", valueName: "folder"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            """
            Write a report: pretty, json, html, markdown, junit, tap or sarif; FILE - is standard output. \
            Repeatable.
            """,
            valueName: "format=file"), transform: ReportArgument.init)
    var report: [ReportArgument<CheckReportFormat>] = []

    @Flag(name: .shortAndLong, help: "Show a line for each check.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Show no progress.")
    var quiet = false

    @OptionGroup var colours: ColourOptions

    func validate() throws {
        try validateStandardOutput(takes: report.count(where: \.goesToStandardOutput))
    }
}
