import ArgumentParser

/// Options for which behaviours to test, and how.
struct DialectTestExecution: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only test this behaviour, after connecting and logging in. Repeatable.",
            valueName: "behaviour"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp("Do not test this behaviour. Repeatable.", valueName: "behaviour"))
    var skip: [String] = []

    @Option(
        help: ArgumentHelp(
            "Stay connected this long to test that the dialect answers the server's pings.",
            valueName: "time"),
        transform: DurationArgument.init)
    var idle: DurationArgument?
}

/// Options for the output.
struct DialectTestDisplay: ParsableArguments {
    @Flag(help: "Show all lines sent and received in failed tests.")
    var transcript = false
}
