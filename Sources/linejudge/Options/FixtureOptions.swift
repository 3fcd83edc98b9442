import ArgumentParser

/// Options for conditions that `needs fixture` lines name.
struct FixtureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run scenarios that need this fixture, since the server has it. Repeatable.",
            valueName: "name"))
    var fixture: [String] = []
}
