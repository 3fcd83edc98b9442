import ArgumentParser

/// What is pinned, and what a server is held against.
struct BaselineOptions: ParsableArguments {
    @Option(
        name: [.customLong("characterise"), .customLong("characterize")],
        help: ArgumentHelp(
            """
            Measure what the server does with each stimulus, twice, and write it to this lock file; - is \
            standard output.
            """, valueName: "file"))
    var characterise: String?

    @Option(
        help: ArgumentHelp(
            "Hold the server against what this lock file pins: another class is a failure.",
            valueName: "file"))
    var lock: String?

    func validate() throws {
        if characterise != nil, lock != nil {
            throw ValidationError(
                "--characterise writes a lock file, --lock reads one: give one of them")
        }
    }
}
