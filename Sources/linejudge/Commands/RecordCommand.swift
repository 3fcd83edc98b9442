import Jobs
import Manual
import Recorder
import Results
import ArgumentParser
import DialectFiles
import Transport

/// The `linejudge record` command.
struct RecordCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a session with a server as a scenario.",
        usage: "linejudge record [OPTIONS] --server URL -o FILE",
        discussion: """
            Listens as a proxy in front of the server; point a client at its address. When the \
            recording ends (Ctrl-C, --once or --for), Linejudge runs the scenario against the \
            server and adapts it until it passes: values that differ between runs become \
            placeholders, and values from the server that clients send back become variables.
            """)

    static let manual = CommandManual(
        examples: [
            "Record one client's session with an IRC server":
                "linejudge record --server irc://127.0.0.1 --once -o session.chat",
            "Record on a fixed port, and keep a password out of the scenario":
                "linejudge record --listen :7000 --server irc://127.0.0.1 --secret password=hunter2 -o session.chat",
        ],
        exitCodes: [
            .ok: "recorded, and the scenario passes",
            .failed: "recorded, but the scenario does not pass; the reason is printed",
            .inconclusive: "no lines were recorded",
            .unavailable: "cannot listen on the address, or the server could not be reached",
            .software: "internal error, or the scenario could not be written",
            .unparsable: "the dialect does not parse",
            .noInput: "no such dialect",
        ],
        and: [.usage],
        details: [
            "For how recordings become scenarios, see [recording.md](recording.md)."
        ])

    @Option(
        help: ArgumentHelp(
            """
            Address that clients connect to: host:port, ws://host:port/path or unix:/path (default: a \
            free port on 127.0.0.1, with WebSocket if the server uses it).
            """,
            valueName: "address"), transform: ClientListenArgument.init)
    var listen: ClientListenArgument?

    @Option(
        help: ArgumentHelp(
            """
            Server: host:port, tls://host:port, irc://host, ws://host/path or unix:/path (default: the \
            reference server).
            """, valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Dialect: NAME, FILE, or either with +PROFILE; defaults to the scheme of --server.",
            valueName: "name"), completion: .dialect)
    var dialect: String?

    @Flag(help: "Stop when the last client has disconnected.")
    var once = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop after this time.", valueName: "time"),
        transform: DurationArgument.init)
    var duration: DurationArgument?

    @Flag(help: "Do not run the scenario; keep all values as recorded.")
    var noReplay = false

    @OptionGroup var scenario: ScenarioWritingOptions
    @OptionGroup var trust: ServerTrustOptions

    @OptionGroup var certificate: CertificateOptions

    @Flag(name: .shortAndLong, help: "Do not show lines as they are recorded.")
    var quiet = false

    func validate() throws { try certificate.check(listen) }

    func run() async throws {
        let session = try RecordSession(request)
        let target = JobServer(
            nil, at: server.map { _ in session.server }, speaking: session.dialect.dialect)
        try await target.use { endpoint, _ in try await session.record(at: endpoint) }
    }

    private var request: RecordRequest {
        var request = RecordRequest()
        request.server = server
        request.dialect = dialect
        request.trust = trust.trust
        request.listen = listen?.address
        request.clientWebSocket = listen?.webSocket
        request.clientSecurity = certificate.paths
        request.once = once
        request.duration = duration?.nanoseconds
        request.replays = !noReplay
        request.isQuiet = quiet
        request.scenario = scenario.options
        return request
    }
}
