import ArgumentParser
import Conformance
import Jobs
import Report

/// Options for choosing which checks to run.
struct CheckSelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Only run checks that match this name or glob: frame, frame.max, arity.few:JOIN, 'arity.*'. \
            Repeatable.
            """,
            valueName: "glob"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "Skip checks that match this name or glob. Repeatable.", valueName: "glob"))
    var skip: [String] = []

    @Flag(help: "List the dialect's checks and what each is based on, then exit.")
    var list = false
}

/// Options for how to run checks: parallelism, repetition, fuzzing.
struct CheckExecutionOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            "Number of checks to run in parallel, if they cannot affect each other (default: 8).",
            valueName: "count"),
        transform: NumberArgument.within(1...CheckOptions.jobsMax, such: 8))
    var jobs: Int?

    @Option(
        name: .customLong("repeat"), parsing: .unconditional,
        help: ArgumentHelp(
            "Repeat each failed check this many times (default: 3); 0 also turns off shrinking.",
            valueName: "count"),
        transform: NumberArgument.within(0...CheckOptions.repeatMax, such: 20))
    var repetitions: Int?

    @Option(
        help: ArgumentHelp(
            """
            Run the most valuable checks first, and stop after this time. The summary lists the checks \
            that did not run.
            """, valueName: "time"), transform: DurationArgument.init)
    var budget: DurationArgument?

    @Option(
        help: ArgumentHelp(
            """
            Instead of running checks, send mutated lines for this long. The server must answer or \
            close the connection, and keep serving other clients.
            """, valueName: "time"), transform: DurationArgument.init)
    var fuzz: DurationArgument?

    @Option(
        help: ArgumentHelp(
            """
            With --fuzz, folder where inputs that trigger new replies are saved; later runs start from \
            them.
            """,
            valueName: "folder"), completion: .directory)
    var corpus: String?

    @Flag(
        help: "Include checks with long waits, and open 10,000 connections instead of 500.")
    var slow = false

    @Flag(
        help: "Also fail if a check is slow or flaky, or an optional (MAY) requirement is not met.")
    var strict = false

    func validate() throws {
        if corpus != nil, fuzz == nil { throw ValidationError("--corpus requires --fuzz") }
        if budget != nil, fuzz != nil {
            throw ValidationError("--budget does not apply to --fuzz, which has its own time limit")
        }
    }
}

/// Options for the reports and files written by `check`.
struct CheckOutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Write a scenario for each failure to this folder, with a transcript (JSON Lines) and a \
            capture (pcapng); also the log of a server started by --exec.
            """, valueName: "folder"), completion: .directory)
    var out: String?

    @Flag(name: .shortAndLong, help: "Show a line for every check.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Do not show progress.")
    var quiet = false
}
