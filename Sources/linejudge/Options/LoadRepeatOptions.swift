import ArgumentParser
import Load
import Results

/// Options for repeating a load test, against one server or two.
struct LoadRepeatOptions: ParsableArguments {
    /// Number of load tests of each server if only the second server is given.
    static let repeatsDefault = 5

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            """
            Run the load test this many times, and report the variation. With a second server, \
            test each server this many times (default: 5).
            """, valueName: "count"),
        transform: NumberArgument.within(1...RepeatedLoad.repeatsMax, such: 5))
    var repeats: Int?

    @Option(
        help: ArgumentHelp(
            "Second server: test both servers in turn (A B B A …), and compare them.",
            valueName: "url"))
    var against: String?

    @Option(
        help: ArgumentHelp(
            "Start the second server with this command, as with --exec.", valueName: "command"))
    var againstExec: String?

    @Option(
        help: ArgumentHelp(
            "Observe a process or metrics of the second server, as with --watch. Repeatable.",
            valueName: "pid|url"))
    var againstWatch: [WatchArgument] = []

    /// True if a second server is given.
    var hasSecondServer: Bool { against != nil || againstExec != nil }

    /// Number of load tests of each server; nil to run a single load test.
    var count: Int? { repeats ?? (hasSecondServer ? Self.repeatsDefault : nil) }

    func validate() throws {
        if against != nil, againstExec != nil {
            throw ValidationError("--against and --against-exec cannot be combined")
        }
        if !againstWatch.isEmpty, !hasSecondServer {
            throw ValidationError("--against-watch requires --against")
        }
        for word in againstWatch { try word.validate("--against-watch") }
    }
}
