import ArgumentParser
import Load
import Report
import Results
import Runner

/// `linejudge load`
struct LoadCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Simulate thousands of users, and measure latency and delivery.",
        usage: "linejudge load [OPTIONS] [PLAN]",
        discussion: """
            Operators (simulated users) log in, enter rooms and send messages as the dialect's behaviours \
            define. Latency is measured from the scheduled send time, so that a stalled server cannot hide \
            its delay, and each message is tracked to every user who should receive it. Without --server, \
            the built-in server is loaded. PLAN is a YAML file with the same settings, which options \
            override, or a scenario (.chat) that operators repeat.
            """)

    static let manual = CommandManual(
        examples: [
            "Send 2,000 messages per second from 1,000 users for a minute":
                "linejudge load --server irc://127.0.0.1 --operators 1000 --rate 2000/s --for 1m",
            "Fail unless 99% of the messages arrive within 50 ms, and write a report":
                "linejudge load plan.yaml --threshold 'p99(say) < 50ms' --report html=load.html",
            "Find the highest rate that keeps this threshold":
                "linejudge load --server irc://127.0.0.1 --find-rate 'p99(say) < 50ms'",
        ],
        exitCodes: [
            .ok:
                "every message arrived once and in order, and all thresholds were met; for a shard: its part was measured",
            .failed:
                "a message was lost, duplicated, reordered or changed, or a threshold was not met",
            .inconclusive: "undecided: the generator was the bottleneck, or nothing was sent",
            .usage: "invalid command line, or the dialect cannot be used for a load",
            .unparsable: "the dialect or the plan does not parse",
            .noInput: "no such dialect or plan",
        ],
        and: [.unavailable, .software, .interrupted, .terminated],
        details: [
            """
            Plans, measures, verdicts, and loads from several processes and machines are described in \
            [load.md](load.md). With `--shard`, several machines make one load, and `linejudge report` \
            merges and judges their results.
            """,
            """
            During an open load on a terminal, `+` and `-` change the rate.
            """,
        ])

    @OptionGroup(title: "Server") var target: LoadTargetOptions
    @OptionGroup(title: "Workload") var workload: WorkloadOptions
    @OptionGroup(title: "Schedule") var time: LoadScheduleOptions
    @OptionGroup(title: "Thresholds") var thresholds: LoadThresholdOptions
    @OptionGroup(title: "Generator") var generator: LoadGeneratorOptions
    @OptionGroup(title: "Output") var display: LoadOutputOptions

    @Argument(
        help: ArgumentHelp(
            "Plan (YAML; - for standard input) or scenario (.chat).", valueName: "plan"),
        completion: .file(extensions: ["yaml", "yml", "chat"]))
    var plan: String?

    /// Checks the options without a plan, so that errors are reported like other usage errors.
    func validate() throws {
        if plan == nil {
            var plan = LoadPlan()
            try workload.override(&plan, findsRate: !thresholds.findRate.isEmpty)
        }
    }

    func run() async throws {
        let interruptions = Interruptions()
        let setup = try LoadSetup(self)
        let reports = ReportOutputs(try ShardPaths.filled(display.report, setup.shard))
        try reports.prepare()
        let job = LoadJob(command: self, setup: setup, reports: reports)
        let code = try await job.run(interruptions)
        if code != .ok { throw CommandFailure(code) }
    }
}
