import ArgumentParser
import Conformance
import Console
import Jobs
import Manual
import Report
import Results

/// The `linejudge check` command.
struct CheckCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Generate tests from a dialect and run them against a server.",
        usage: "linejudge check [OPTIONS]",
        discussion: """
            The checks are generated from the dialect: its framing, arguments, policies and \
            behaviours. Each failure is repeated, shrunk to the shortest exchange that still \
            fails, and reported with the rule that it breaks, such as a clause of a specification. Without \
            --server or --exec, the reference server is checked. With several servers, the same \
            checks run against each in turn, and a matrix shows where one differs from the others.

            With --capture, checks that only observe are applied to captured traffic.

            Checks send malformed lines, flood the server and break connections. They can hang or \
            crash a server, so do not run them against production servers.
            """)

    static let manual = CommandManual(
        examples: [
            "Check an IRC server": "linejudge check --server irc://127.0.0.1:6667",
            "Start a server, check its framing only, and keep a scenario for each failure":
                "linejudge check --dialect irc --exec './chatd --port {{port}}' --only frame --out failures",
            "Judge captured traffic": "linejudge check --capture trace.pcapng --dialect irc",
            "Record a baseline":
                "linejudge check --server irc://127.0.0.1 --write-baseline ircd.baseline",
            "Later, fail if the behaviour has changed":
                "linejudge check --server irc://127.0.0.1 --baseline ircd.baseline",
        ],
        exitCodes: [
            .ok:
                "all checks passed; with --baseline, nothing has changed; with --write-baseline, every check was recorded",
            .failed: "a check failed",
            .inconclusive:
                "a check is inconclusive, or the capture is damaged or has no line of the dialect",
            .drift: "with --baseline: behaviour has changed, but nothing else failed",
            .unparsable:
                "the dialect or the baseline file does not parse, or cannot be used for checks",
            .noInput: "no such dialect or baseline file",
        ],
        and: [.usage, .unavailable, .software, .interrupted, .terminated],
        details: [
            """
            The scheme of `--server` can also select the dialect (`irc://host`). With a single \
            `--exec`, `--server` is the address that the started server listens on. With several \
            servers, pass `--name` and `--software` once per server: first for each `--server`, \
            then for each `--exec`. It is an error if `--only` or `--skip` matches no check.
            """
        ], topics: [.continuousIntegration])

    @OptionGroup(title: "Server") var target: CheckTargetOptions
    @OptionGroup(title: "Server") var captured: CapturedServerOptions
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Server") var trust: ServerTrustOptions
    @OptionGroup(title: "Server") var links: LinkOptions
    @OptionGroup(title: "Selection") var selection: CheckSelectionOptions
    @OptionGroup(title: "Execution") var execution: CheckExecutionOptions
    @OptionGroup(title: "Execution") var variables: VariableOptions
    @OptionGroup(title: "Execution") var seeds: SeedOptions
    @OptionGroup(title: "Baseline") var baselines: BaselineOptions
    @OptionGroup(title: "Output") var display: CheckOutputOptions
    @OptionGroup(title: "Output") var reports: ReportOptions<CheckReportFormat>
    @OptionGroup(title: "Output") var colours: ColourOptions
    @OptionGroup(title: "Output") var console: ConsoleOptions

    func validate() throws {
        if !target.capture.isEmpty { return try validateCapture() }
        if let given = captured.given.first {
            throw ValidationError("\(given) can only be used with --capture")
        }
        try connection.check(server: !target.server.isEmpty, exec: !target.exec.isEmpty)
        try reports.check()
    }

    /// Refuses the options that have no meaning for captured traffic.
    private func validateCapture() throws {
        let options: [(name: String, isGiven: Bool)] = [
            ("--server", !target.server.isEmpty), ("--exec", !target.exec.isEmpty),
            ("--name", !target.name.isEmpty), ("--software", !target.software.isEmpty),
            ("--start-timeout", connection.startTimeout != nil), ("--wait", connection.wait != nil),
            ("--tls-ca", trust.authority != nil), ("--server-name", trust.serverName != nil),
            ("--insecure", trust.insecure), ("--jobs", execution.jobs != nil),
            ("--repeat", execution.repetitions != nil), ("--budget", execution.budget != nil),
            ("--fuzz", execution.fuzz != nil), ("--corpus", execution.corpus != nil),
            ("--slow", execution.slow), ("--var", !variables.options.isEmpty),
            ("--vars", !variables.files.isEmpty), ("--seed", seeds.seed != nil),
            ("--baseline", baselines.baseline != nil),
            ("--write-baseline", baselines.writeBaseline != nil), ("--out", display.out != nil),
            ("--list", selection.list),
        ]
        if let given = options.first(where: \.isGiven) {
            throw ValidationError(
                "\(given.name) cannot be used with --capture, which does not contact a server")
        }
        try reports.check()
    }

    private func judgeCapture() async throws {
        var request = CaptureCheckRequest(target.capture)
        request.dialect = target.dialect
        request.servers = captured.selection
        request.only = selection.only
        request.skip = selection.skip
        request.isStrict = execution.strict
        request.showsAll = display.verbose
        let output = console.output(reports.report, colours, isQuiet: display.quiet)
        let code = try await CaptureCheckJob(request, output).run()
        if code != .ok { throw CommandFailure(code) }
    }

    func run() async throws {
        if !target.capture.isEmpty { return try await judgeCapture() }
        let interruptions = Interruptions()
        links.apply()
        if target.count > 1, baselines.baseline != nil || baselines.writeBaseline != nil {
            throw CommandFailure(
                .usage, .badOption, "a baseline file describes one server, but several are given",
                help: "pass one --server or --exec, or use `linejudge compare`")
        }
        if execution.budget != nil, baselines.baseline != nil || baselines.writeBaseline != nil {
            throw CommandFailure(
                .usage, .badOption, "a baseline needs every check, but --budget may skip some",
                help: "leave out --budget")
        }
        let baseline = try BaselineFile(
            writing: baselines.writeBaseline, comparingWith: baselines.baseline)
        let setup = try CheckSetup(request, baseline: baseline.expected?.baseline)
        if selection.list { return CheckList(setup, colours.colours).write() }
        try setup.requireVariables()
        let output = console.output(reports.report, colours, isQuiet: display.quiet)
        let job = CheckJob(setup, output, shown, baseline: baseline, until: interruptions)
        let code = try await job.run()
        if code != .ok { throw CommandFailure(code) }
    }

    private var shown: CheckDisplay {
        var shown = CheckDisplay()
        shown.showsAll = display.verbose
        shown.folder = display.out
        shown.wait = connection.wait?.nanoseconds
        return shown
    }

    private var request: CheckRequest {
        var request = CheckRequest()
        request.targets = target.targets(connection, trust)
        request.dialect = target.dialect
        request.variables = variables.given
        request.only = selection.only
        request.skip = selection.skip
        request.runsSlowChecks = execution.slow
        request.isStrict = execution.strict
        request.seed = seeds.seed
        request.jobs = execution.jobs ?? request.jobs
        request.repetitions = execution.repetitions ?? request.repetitions
        request.budget = execution.budget?.nanoseconds
        request.fuzzing = execution.fuzz.map {
            CheckFuzzing(nanoseconds: $0.nanoseconds, folder: execution.corpus)
        }
        return request
    }
}
