import ArgumentParser
import Conformance
import Diagnostics
import Report
import Results
import Runner

/// `linejudge check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find out what a server does wrong, with no scenario written.",
        usage: "linejudge check --dialect NAME [OPTIONS]",
        discussion: """
            The checks follow from the dialect: its framing, arguments, policies and behaviours. What \
            fails is repeated, made smaller, and told with the clause that says otherwise. Without \
            --server and --exec the built-in reference server is checked. Several servers are checked one \
            after another by the same checks and set side by side: a matrix, and the minority report, which \
            tells where one does not do as the others.

            Exit codes:
              0    what must hold, holds; with --lock all is as it was pinned; with --characterise all was
                   measured
              1    something does not
              2    something could not be decided
              4    with --lock: something is not as it was pinned, and nothing else is wrong
              64   the command line is wrong
              65   the dialect or the lock file does not parse, or cannot be used for checks
              66   there is no such dialect or lock file
              69   the server could not be reached
              70   a fault of linejudge, or a report cannot be written
              130  ended by SIGINT, 143 by SIGTERM; what was found until then is reported
            """)

    @OptionGroup(title: "The server") var target: CheckTargetOptions
    @OptionGroup(title: "What is checked") var selection: CheckSelectionOptions
    @OptionGroup(title: "How it is checked") var playing: CheckExecutionOptions
    @OptionGroup(title: "What is pinned") var locks: BaselineOptions
    @OptionGroup(title: "What is shown") var showing: CheckShowingOptions

    func run() async throws {
        let interruptions = Interruptions()
        if target.count > 1, locks.lock != nil || locks.characterise != nil {
            throw CommandFailure(
                .usage, .badOption, "a lock file is of one server",
                help:
                    "give one --server or --exec; `linejudge compare` sets two lock files side by side"
            )
        }
        let lock = try BaselineFile(locks)
        let setup = try CheckSetup(self, pinned: lock.pinned?.lock)
        if selection.list { return CheckList(setup, showing).write() }
        let reports = ReportOutputs(showing.report)
        try reports.prepare()
        try lock.prepare()
        let play = CheckJob(
            setup: setup, showing: showing, reports: reports, lock: lock,
            interruptions: interruptions)
        let code = try await play.run()
        if code != .ok { throw CommandFailure(code) }
    }
}
