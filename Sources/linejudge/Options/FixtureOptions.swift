import ArgumentParser

/// Options for the conditions in `needs fixture` lines.
struct FixtureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run the scenarios that need this fixture (a prepared server, such as tls or accounts). Repeatable.",
            valueName: "name"))
    var fixture: [String] = []
}
