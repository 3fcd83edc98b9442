import ArgumentParser

/// Options for the conditions in `needs fixture` lines.
struct FixtureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Declare that the server provides this fixture, and run the scenarios that need it. Repeatable.",
            valueName: "name"))
    var fixture: [String] = []
}
