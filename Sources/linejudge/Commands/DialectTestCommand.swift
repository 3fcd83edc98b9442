import ArgumentParser
import Conformance
import Console
import Jobs
import Manual
import Results
import Runner

/// The `linejudge dialect test` command.
struct DialectTestCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Try a dialect's behaviours against a server.",
        usage: "linejudge dialect test [OPTIONS] --server URL NAME",
        discussion: """
            Logs in, sends the probe, exchanges messages and runs every other behaviour of the \
            dialect, each on new connections. Reports behaviours that fail and server lines that \
            the dialect does not describe. Requires --server or --exec.
            """)

    static let manual = CommandManual(
        examples: [
            "Test a dialect file against a running server":
                "linejudge dialect test mychat.yaml --server 127.0.0.1:7000",
            "Start the server first, and set a variable that the login sends":
                "linejudge dialect test mychat.yaml --exec './chatd {{port}}' --var password=sesame",
            "Test only messages, and show all lines sent and received":
                "linejudge dialect test mychat.yaml --server 127.0.0.1:7000 --only say --only relay --transcript",
        ],
        exitCodes: [
            .ok: "every tested behaviour works",
            .failed: "a behaviour fails, or the server sent lines that violate the dialect",
            .inconclusive: "a test is inconclusive, or no behaviour could be tested",
            .unparsable: "the dialect, or the scenario text in it, does not parse",
            .noInput: "no such file or dialect",
        ], and: [.usage, .unavailable, .software, .interrupted, .terminated],
        details: [
            """
            Each output line covers one behaviour, or several that belong together, such as `say` \
            and `heard`: ✓ passed, ✗ failed, – not applicable or not tested. Behaviours whose \
            prerequisites failed are not tested.
            """,
            """
            Use `--var` to set parameters of your own behaviours, or to name a room that already \
            exists, as in `--var room=lobby`.
            """,
        ])

    @OptionGroup(title: "Server") var address: ServerAddressOptions
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Server") var trust: ServerTrustOptions
    @OptionGroup(title: "Server") var links: LinkOptions
    @OptionGroup(title: "Execution") var execution: DialectTestExecution
    @OptionGroup(title: "Execution") var variables: VariableOptions
    @OptionGroup(title: "Execution") var step: StepOptions
    @OptionGroup(title: "Execution") var seeds: SeedOptions
    @OptionGroup(title: "Output") var display: DialectTestDisplay
    @OptionGroup(title: "Output") var colours: ColourOptions

    @Argument(
        help: ArgumentHelp("Dialect: FILE, NAME, or either with +PROFILE.", valueName: "name"),
        completion: .dialect)
    var dialect: String

    func validate() throws {
        if address.server == nil, address.exec == nil {
            throw ValidationError("--server or --exec is required")
        }
        try connection.check(address)
    }

    func run() async throws {
        let interruptions = Interruptions()
        links.apply()
        let job = DialectTestJob(
            try DialectTestSetup(request), colours: colours.colours,
            showsTranscripts: display.transcript, wait: connection.wait?.nanoseconds,
            until: interruptions)
        let code = try await job.run()
        if code != .ok { throw CommandFailure(code) }
    }

    private var request: DialectTestRequest {
        var run = RunRequest(seed: seeds.chosen)
        run.server = address.server
        run.command = address.exec
        run.startTimeout = connection.startTimeout?.nanoseconds
        run.trust = trust.trust
        run.variables = variables.given
        run.stepTimeout = step.timeoutStep?.nanoseconds
        var request = DialectTestRequest(dialect, run)
        request.only = execution.only
        request.skip = execution.skip
        request.idle = execution.idle?.nanoseconds
        return request
    }
}
