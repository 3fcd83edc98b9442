import ArgumentParser
import Load
import Report
import Results
import Runner

/// `linejudge load`
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract:
            "Simulate thousands of operators, time what they feel, account for every message.",
        usage: "linejudge load [OPTIONS] [PLAN]",
        discussion: """
            Operators log in, enter rooms and talk as the dialect's behaviours say. Times count from \
            when a text was to be sent, so that a server that stands still cannot hide it; each text \
            is followed to everyone who should get it. Without --server the load goes to the built-in \
            server. PLAN is a file (YAML) that says all of it; what is typed counts more. It may also be a \
            scenario (.chat), which is then played again and again, --rate times a second. With --shard \
            several machines make one load, which `linejudge report` puts together and judges.

            Exit codes:
              0    every text arrived once and in order, and every promise was kept; of a shard: it \
            has measured its part
              1    a text was lost, doubled, misplaced or changed, or a promise was not kept
              2    it cannot be decided: the generator was the limit, or nothing was sent
              64   the command line is wrong, or the dialect cannot be used for a load
              65   the dialect or the plan does not parse
              66   there is no such dialect or plan
              69   the server could not be reached
              70   a fault of linejudge, or a report cannot be written
              130  ended by SIGINT, 143 by SIGTERM; what was measured until then is reported
            """)

    @Option(
        help: ArgumentHelp(
            "Where it listens: host:port, irc://host, ircs://host, unix:/path.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "The dialect to speak: NAME, FILE, or either with +PROFILE.", valueName: "name"))
    var dialect: String?

    @OptionGroup var trust: ServerTrustOptions

    @OptionGroup(title: "What the load consists of") var shape: LoadShapeOptions
    @OptionGroup(title: "How it is made") var time: LoadTimeOptions
    @OptionGroup(title: "What is shown") var showing: LoadShowingOptions

    @Argument(
        help: ArgumentHelp(
            "A plan (YAML; - is standard input), or a scenario (.chat).", valueName: "plan"))
    var plan: String?

    /// Looks at what was typed without a plan, so that a mistake is told as all others.
    func validate() throws {
        if plan == nil {
            var plan = LoadPlan()
            try shape.override(&plan)
        }
    }

    func run() async throws {
        let interruptions = Interruptions()
        let setup = try LoadSetup(self)
        let reports = ReportOutputs(try ShardPaths.filled(showing.report, setup.shard))
        try reports.prepare()
        let play = LoadJob(command: self, setup: setup, reports: reports)
        let code = try await play.run(interruptions)
        if code != .ok { throw CommandFailure(code) }
    }
}
