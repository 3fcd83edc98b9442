import ArgumentParser
import Console
import Diagnostics
import Jobs
import Manual
import Report
import Results
import Runner

/// The `linejudge run` command.
struct RunCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run scenarios against a server.",
        usage: "linejudge run [OPTIONS] FILES...",
        discussion: """
            Runs each scenario and reports, line by line, where the server's answers differ from the \
            expected ones. Without --server or --exec, scenarios run against the reference server.
            """)

    static let manual = CommandManual(
        examples: [
            "Run all scenarios in a folder against a server":
                "linejudge run Scenarios/irc --server irc://127.0.0.1",
            "Start the server first, and write a JUnit report for CI":
                "linejudge run Scenarios/irc --exec './chatd --port {{port}}' --report junit=results.xml",
            "Rerun the failed scenarios, and show all lines sent and received":
                "linejudge run Scenarios/irc --last-failed --transcript",
        ],
        exitCodes: [
            .ok: "every expectation was met, apart from known failures",
            .failed: "an expectation was not met; with --schema fail, a line violated the dialect",
            .inconclusive: "a result is inconclusive, or nothing ran",
            .unparsable: "a scenario or dialect does not parse, or a scenario does nothing",
            .noInput: "no such file or dialect, or no scenario is selected",
        ],
        and: [.usage, .unavailable, .software, .interrupted, .terminated],
        details: [
            """
            FILES can be files, folders (every `*.chat` file below them), quoted globs, or `-` for \
            standard input. `FILE:LINE` and `FILE:LINE:COLUMN`, the form in which reports show \
            locations, run only the scenario at that line. `FILE#3` runs a scenario only for row 3 \
            of its data. A file that is named twice runs once. Scenarios can be up to 1 MiB long, \
            dialects up to 512 KiB.
            """,
            """
            If both `--server` and `--exec` are given, the started server must listen on the \
            `--server` address.
            """,
            """
            On a terminal, a status line shows the run's progress; otherwise, a line of progress \
            is written to standard error every ten seconds. Report files are written atomically \
            when the run ends.
            """,
            """
            With `--exec` and `{{port}}`, `--jobs` starts a separate server for each parallel \
            scenario, so names cannot collide. If a scenario cannot log in to a server that has \
            already run other scenarios, it is repeated on a new server. If it passes there, it is \
            reported as flaky, and the report names the scenario after which logins began to fail.

            Scenarios that share a running server, and scenarios repeated by `--segment all`, get \
            different operator and room names in each run, as in `linejudge load`. `--keep-names` \
            turns this off.
            """,
            """
            A scenario that fails and then passes on a retry is reported as flaky. The list of \
            failed scenarios for `--last-failed` is in `$XDG_STATE_HOME/linejudge` (default: \
            `~/.local/state/linejudge`).
            """,
            """
            Every line from the server is checked against the command table of its dialect. \
            Violations are unknown commands, missing or extra arguments, wrong types, bad escapes, \
            and lines that are too long. The report counts them by command and kind, and shows the \
            first of each with the step that was running. `-v`, `json` and `html` also list the \
            commands that were never sent or received. Lines sent by scenarios are counted but not \
            checked. Lines with masked secrets are not checked either, nor are lines dropped from \
            a transcript, which keeps the last 20,000.

            If a line is exactly as long as the dialect allows and its end is missing, the server \
            has truncated it. Truncated lines are reported separately and are not violations, \
            unless the dialect's `overflow` rules out truncation.
            """,
            """
            Report formats: `json` is the [results file](results-schema.md), which \
            `linejudge report` converts to the other formats. `junit` has a suite for each folder; \
            inconclusive scenarios are errors, and known failures count as skipped. `tap` marks \
            known failures as `TODO`. `github` annotates the lines of a pull request. `markdown` \
            is for step summaries and comments, and `sarif` for code scanning. `html` is a single \
            page without scripts. Missing folders for report files are created.
            """,
        ], topics: [.continuousIntegration])

    @OptionGroup(title: "Server") var address: ServerAddressOptions
    @OptionGroup(title: "Server") var target: TargetOptions
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Server") var trust: ServerTrustOptions
    @OptionGroup(title: "Server") var links: LinkOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Execution") var execution: RunExecutionOptions
    @OptionGroup(title: "Execution") var step: StepOptions
    @OptionGroup(title: "Execution") var seeds: SeedOptions
    @OptionGroup(title: "Execution") var fixtures: FixtureOptions
    @OptionGroup(title: "Execution") var variables: VariableOptions
    @OptionGroup(title: "Output") var display: RunOutputOptions
    @OptionGroup(title: "Output") var reports: ReportOptions<ReportFormat>
    @OptionGroup(title: "Output") var colours: ColourOptions
    @OptionGroup(title: "Output") var console: ConsoleOptions

    @Argument(
        help: ArgumentHelp(
            "Scenario files, folders, globs, FILE:LINE, FILE#ROW (one row of its data), or - for standard input.",
            valueName: "files"), completion: .file(extensions: ["chat"]))
    var paths: [String]

    func validate() throws {
        try connection.check(address, filesStart: true)
        try reports.check(others: display.format == .pretty ? 0 : 1)
    }

    func run() async throws {
        let interruptions = Interruptions()
        links.apply()
        // Created before the run, so that changes during the run are noticed.
        var watch = execution.watch ? ScenarioWatch(paths) : nil
        var code = try await runOnce(interruptions)
        guard execution.watch, !selection.list, !selection.dryRun else {
            if code != .ok { throw CommandFailure(code) }
            return
        }
        while code != .interrupted, code != .terminated {
            Output.error.write("waiting for changes; press Ctrl-C to quit\n")
            guard try await watch?.next(interruptions) == true else {
                throw CommandFailure(.interrupted)
            }
            do {
                code = try await runOnce(interruptions)
            } catch let failure as CommandFailure where failure.code != .usage {
                Output.error.write(DiagnosticRenderer().text(failure.diagnostics))
            }
        }
        throw CommandFailure(code)
    }

    private func runOnce(_ interruptions: Interruptions) async throws -> Ending {
        let setup = try RunSetup(request(seed: seeds.chosen))
        let output = console.output(
            reports.report, standard: display.format == .pretty ? nil : display.format.reportFormat,
            colours, isQuiet: display.quiet)
        let job = RunJob(setup, output, shown, until: interruptions)
        let scenarios = try job.scenarios(paths)
        if selection.list { return job.list(scenarios) }
        if selection.dryRun { return job.check(scenarios) }
        return try await job.run(scenarios)
    }

    private var shown: RunDisplay {
        var shown = RunDisplay()
        shown.detail = display.verbose
        shown.showsTranscripts = display.transcript
        shown.wait = connection.wait?.nanoseconds
        return shown
    }

    private func request(seed: UInt64) -> RunRequest {
        var request = RunRequest(seed: seed)
        request.server = address.server
        request.command = address.exec
        request.startTimeout = connection.startTimeout?.nanoseconds
        request.dialect = target.dialect
        request.software = target.software
        request.trust = trust.trust
        request.variables = variables.given
        request.filters = selection.filter
        request.tags = selection.tag
        request.lastFailed = selection.lastFailed
        request.jobs = execution.jobs ?? 1
        request.retries = execution.retry ?? 0
        request.isFailFast = execution.failFast
        request.keepsNames = execution.keepNames
        request.allowsCommands = !target.noExec
        request.fixtures = fixtures.fixture
        request.shuffles = execution.shuffle
        request.segmentations = SegmentArgument.segmentations(execution.segment, seed: seed)
        request.stepTimeout = step.timeoutStep?.nanoseconds
        request.fileTimeout = execution.timeoutFile?.nanoseconds
        request.schema = display.schema
        return request
    }
}
