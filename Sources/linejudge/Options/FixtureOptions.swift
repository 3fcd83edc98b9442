import ArgumentParser

/// Options for conditions that `needs fixture` lines name.
struct FixtureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Declare that the server provides this fixture, and run the scenarios that need it. Repeatable.",
            valueName: "name"))
    var fixture: [String] = []
}
