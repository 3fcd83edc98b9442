import ArgumentParser

/// Options for conditions that `needs fixture` lines name.
struct FixtureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run scenarios that need this fixture, which the server has. Repeatable.",
            valueName: "name"))
    var fixture: [String] = []
}
