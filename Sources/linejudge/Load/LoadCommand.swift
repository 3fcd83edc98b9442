import ArgumentParser
import Console
import Jobs
import Load
import Manual
import Report
import Results
import Transport

/// The `linejudge load` command.
struct LoadCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Simulate thousands of users, and measure latency and delivery.",
        usage: "linejudge load [OPTIONS] [PLAN]",
        discussion: """
            Operators (simulated users) log in, enter rooms and send messages as the dialect's behaviours \
            define. Latency is measured from the scheduled send time, so that a stalled server cannot hide \
            its delay, and each message is tracked to every user who should receive it. Without --server, \
            the reference server is tested. PLAN is a YAML file with the same settings (options take \
            precedence), or a scenario (.chat) that operators repeat.
            """)

    static let manual = CommandManual(
        examples: [
            "Send 2,000 messages per second from 1,000 users for a minute":
                "linejudge load --server irc://127.0.0.1 --operators 1000 --rate 2000/s --for 1m",
            "Fail unless 99% of the messages arrive within 50 ms, and write a report":
                "linejudge load plan.yaml --threshold 'p99(say) < 50ms' --report html=load.html",
            "Watch and control a load test in a browser":
                "linejudge load plan.yaml --live",
            "Compare two builds of a server, each tested five times in turn":
                "linejudge load plan.yaml --exec './old {{port}}' --against-exec './new {{port}}'",
            "Find the highest rate that meets this threshold":
                "linejudge load --server irc://127.0.0.1 --find-rate 'p99(say) < 50ms'",
        ],
        exitCodes: [
            .ok:
                "every message arrived once and in order, and all thresholds were met; for a shard, its part was measured",
            .failed:
                "a message was lost, duplicated, reordered or changed, or a threshold was not met",
            .inconclusive:
                "inconclusive: the load generator was the bottleneck, or nothing was sent",
            .usage: "invalid command line, or the dialect cannot be used for a load test",
            .unparsable: "the dialect or the plan does not parse",
            .noInput: "no such dialect or plan",
        ],
        and: [.unavailable, .software, .interrupted, .terminated],
        details: [
            """
            With `--shard`, several machines share one load test, and `linejudge report` merges \
            and judges their results. For this, and for plans, metrics and verdicts, see \
            [load.md](load.md).
            """,
            """
            While an open-model load test runs in a terminal, the keys `+` and `-` change the \
            rate. `--live` serves a page on which you can watch, pause, change and stop it.
            """,
        ], topics: [.continuousIntegration])

    @OptionGroup(title: "Server") var address: ServerAddressOptions
    @OptionGroup(title: "Server") var target: LoadTargetOptions
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Server") var trust: ServerTrustOptions
    @OptionGroup(title: "Server") var links: LinkOptions
    @OptionGroup(title: "Workload") var workload: WorkloadOptions
    @OptionGroup(title: "Workload") var variables: VariableOptions
    @OptionGroup(title: "Workload") var fixtures: FixtureOptions
    @OptionGroup(title: "Schedule") var time: LoadScheduleOptions
    @OptionGroup(title: "Repetition") var repetition: LoadRepeatOptions
    @OptionGroup(title: "Thresholds") var thresholds: LoadThresholdOptions
    @OptionGroup(title: "Generator") var generator: LoadGeneratorOptions
    @OptionGroup(title: "Output") var display: LoadOutputOptions
    @OptionGroup(title: "Output") var reports: ReportOptions<LoadReportFormat>
    @OptionGroup(title: "Output") var colours: ColourOptions
    @OptionGroup(title: "Output") var console: ConsoleOptions

    @Argument(
        help: ArgumentHelp(
            "Plan (YAML; - for standard input) or scenario (.chat).", valueName: "plan"),
        completion: .file(extensions: ["yaml", "yml", "chat"]))
    var plan: String?

    /// Throws a usage error if options conflict. The workload options are checked here only if
    /// there is no plan, because a plan can affect which of them are allowed.
    func validate() throws {
        try connection.check(address)
        try reports.check()
        if plan == nil {
            var plan = LoadPlan()
            try workload.override(&plan, findsRate: !thresholds.findRate.isEmpty)
        }
        guard repetition.count != nil else { return }
        let others = [
            ("--find-rate", !thresholds.findRate.isEmpty), ("--shard", generator.shard != nil),
            ("--start-at", time.startAt != nil), ("--live", display.live != nil),
            ("--metrics", display.metrics != nil),
        ]
        if let other = others.first(where: { $0.1 }) {
            throw ValidationError("\(other.0) cannot be combined with repeated load tests")
        }
    }

    func run() async throws {
        let interruptions = Interruptions()
        links.apply()
        let setup = try LoadSetup(request())
        if let count = repetition.count {
            let code = try await repeated(setup, count, until: interruptions).run()
            if code != .ok { throw CommandFailure(code) }
            return
        }
        let output = console.output(
            try ShardPaths.filled(reports.report, setup.shard), colours, isQuiet: display.quiet)
        let job = LoadJob(setup, output, shown(setup.shard), until: interruptions)
        let code = try await job.run()
        if code != .ok { throw CommandFailure(code) }
    }

    /// Returns the job that repeats the load test.
    private func repeated(
        _ setup: LoadSetup, _ count: Int, until interruptions: Interruptions
    ) throws -> RepeatedLoadJob {
        var sides = [
            RepeatedLoadJob.Side(
                address.exec ?? setup.endpoint?.description ?? "built-in", setup)
        ]
        if repetition.hasSecondServer {
            var request = try request()
            request.plan.target = nil
            request.plan.seed = setup.plan.seed
            request.server = repetition.against
            request.command = repetition.againstExec
            request.commandOption = "--against-exec"
            request.dialect = setup.dialectName
            request.watched = repetition.againstWatch.compactMap(\.pid)
            request.metricsSources = repetition.againstWatch.compactMap(\.source)
            let other = try LoadSetup(request)
            if let one = setup.endpoint?.dialect, let two = other.endpoint?.dialect, one != two {
                throw CommandFailure(
                    .usage, .badOption, "the servers speak different protocols: \(one) and \(two)",
                    help: "pass the address of another \(one) server to --against")
            }
            let name = repetition.againstExec ?? other.endpoint?.description ?? ""
            sides.append(RepeatedLoadJob.Side(name, other))
        }
        let repeatedReports = try reports.report.map { report in
            try RequestedReport<RepeatedLoadReportFormat>(report)
        }
        return RepeatedLoadJob(
            sides, repeats: count,
            console.output(repeatedReports, colours, isQuiet: display.quiet), shown(nil),
            until: interruptions)
    }

    private func shown(_ shard: Shard?) -> LoadDisplay {
        var shown = LoadDisplay()
        shown.wait = connection.wait?.nanoseconds
        shown.findsRate = !thresholds.findRate.isEmpty
        shown.metrics = display.metrics?.address
        shown.live = display.live?.address
        shown.sharedReport = ShardPaths.shared(reports.report, shard)
        return shown
    }

    /// Combines the plan and the options into a request. Options take precedence.
    ///
    /// - Parameter planText: Contents of the plan; nil unless the main process has already read it.
    func request(planText: String? = nil) throws -> LoadRequest {
        let file = try plan.map { path throws(CommandFailure) in
            try PlanFile(path, text: planText)
        }
        var plan = file?.plan ?? LoadPlan()
        do {
            try workload.override(&plan, findsRate: !thresholds.findRate.isEmpty)
        } catch let error as ValidationError {
            throw CommandFailure(.usage, .badOption, error.message)
        }
        generator.override(&plan)
        time.override(&plan, rate: workload.rate)
        var request = LoadRequest(plan: plan, planText: file?.text)
        request.server = address.server
        request.command = address.exec
        request.startTimeout = connection.startTimeout?.nanoseconds
        request.dialect = target.dialect
        request.trust = trust.trust
        request.variables = variables.given
        request.fixtures = fixtures.fixture
        request.sources = generator.source
        request.thresholds = thresholds.findRate + thresholds.threshold
        request.abortGrace = thresholds.abortOnFail
        request.budgets = thresholds.budget
        request.findsRate = !thresholds.findRate.isEmpty
        request.schema = display.schema
        request.shard = generator.shard
        request.startAt = time.startAt
        request.watched = target.watch.compactMap(\.pid)
        request.metricsSources = target.watch.compactMap(\.source)
        return request
    }
}
