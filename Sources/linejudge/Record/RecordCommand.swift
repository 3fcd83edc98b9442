import ArgumentParser
import DialectFiles
import ReferenceServer

/// `linejudge record`
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Stand between clients and a server, and write what was said as a scenario.",
        usage: "linejudge record [--listen HOST:PORT] --server URL -o FILE",
        discussion: """
            Point a client to where it listens. When the recording ends (Ctrl-C, --once or --for), the \
            scenario is played against the server: what differs from play to play becomes a placeholder, what the \
            server gave and a client said back becomes a variable, until it passes.

            Exit codes:
              0   recorded, and the scenario passes
              1   recorded, but the scenario does not pass; the reason is told
              2   nothing was said
              64  the command line is wrong
              69  it cannot listen there, or the server cannot be reached
              70  the file cannot be written
            """)

    @Option(
        help: ArgumentHelp(
            "Where clients connect: host:port (by default any free one of 127.0.0.1) or unix:path.",
            valueName: "address"), transform: ListenArgument.init)
    var listen: ListenArgument?

    @Option(
        help: ArgumentHelp(
            "The server: host:port, tls://host:port, irc://host, unix:/path. By default the built-in one.",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "What they speak: a name or a file. By default as the server's URL says.",
            valueName: "name"))
    var dialect: String?

    @Flag(help: "End when the last client has gone.")
    var once = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after so long.", valueName: "time"),
        transform: DurationArgument.init)
    var duration: DurationArgument?

    @Flag(help: "Do not play the scenario: values stay as they were said.")
    var noReplay = false

    @OptionGroup var scenario: ScenarioWritingOptions
    @OptionGroup var trust: ServerTrustOptions

    @Option(
        help: ArgumentHelp(
            "Speak TLS with clients, with this certificate (PEM).", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"))
    var tlsKey: String?

    @Flag(name: .shortAndLong, help: "Do not show the lines as they go by.")
    var quiet = false

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-cert and --tls-key belong together")
        }
    }

    func run() async throws {
        let session = try RecordSession(self)
        if server == nil {
            try await BuiltInServer.run(speaking: session.dialect.dialect) { endpoint in
                try await session.record(at: endpoint)
            }
        } else {
            try await session.record(at: session.server)
        }
    }
}
