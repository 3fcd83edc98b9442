import ArgumentParser
import Diagnostics
import DialectFiles
import LineProtocol
import Logging
import ReferenceServer
import Report
import Results
import Runner
import Transport
import TransportTLS

/// `linejudge serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the built-in reference chat server.",
        usage: "linejudge serve [OPTIONS]",
        discussion: """
            Says where it listens in one line on standard output, and serves until SIGINT or SIGTERM; \
            then it tells its clients and closes.

            Exit codes:
              0   ended by a signal
              64  the command line is wrong, or the dialect lacks what the server needs
              65  the dialect does not parse
              66  there is no such dialect
              69  it cannot listen there
            """)

    @Option(
        help: ArgumentHelp(
            "The dialect to speak: livechat (the default), irc, msnp, nats, plain, teamspeak, any of them "
                + "with +PROFILE, or a FILE with behaviours.", valueName: "name"))
    var dialect = "livechat"

    @Option(
        help: ArgumentHelp(
            "Where to listen: host:port (port 0, the default: any free one) or unix:path.",
            valueName: "address"), transform: ListenArgument.init)
    var listen: ListenArgument?

    @Option(
        help: ArgumentHelp(
            "End a session after so long without a ping, such as 30s; never for 0. By default as the "
                + "dialect says.", valueName: "time"), transform: ExpiryArgument.init)
    var pingExpiry: ExpiryArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Records that a chat's history keeps (512).", valueName: "count"),
        transform: NumberArgument.within(0...1_000_000, such: 512))
    var history: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Connections at once (50000).", valueName: "count"),
        transform: NumberArgument.within(1...1_000_000, such: 1000))
    var maxConnections: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Connections at once from one address.", valueName: "count"),
        transform: NumberArgument.within(1...1_000_000, such: 100))
    var maxPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            "Lines a second from one connection, and how many at once: 10/s, 10/3s, 10/s:50.",
            valueName: "rate"), transform: RateArgument.init)
    var rate: RateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many bytes may wait for one who does not read before it is cut (1048576).",
            valueName: "bytes"),
        transform: NumberArgument.within(1_024...1_073_741_824, such: 65_536))
    var sendQueue: Int?

    @OptionGroup(title: "Faults") var faults: FaultOptions

    @Option(
        help: ArgumentHelp(
            "Answer GET /metrics over HTTP at host:port, in Prometheus' text format.",
            valueName: "address"), transform: ListenArgument.init)
    var metrics: ListenArgument?

    @Option(help: ArgumentHelp("Speak TLS, with this certificate (PEM).", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"))
    var tlsKey: String?

    @Flag(name: .shortAndLong, help: "Tell on standard error what happens; twice: everything.")
    var verbose: Int

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-cert and --tls-key belong together")
        }
    }

    func run() async throws {
        if faults.wantsList { return Output.standard.write(FaultOptions.list) }
        let file = try DialectLibrary.find(dialect)
        let interruptions = Interruptions()
        let server = try await start(speaking: file.dialect)
        let scheme = tlsCert == nil ? "tcp" : "tls"
        let place = server.address.description
        let address =
            place.hasPrefix("/") || server.port == nil ? "unix:\(place)" : "\(scheme)://\(place)"
        Output.standard.write("listening on \(address)\n")
        if let metrics = server.metricsAddress {
            Output.standard.write("metrics at http://\(metrics)/metrics\n")
        }
        _ = await interruptions.next()
        await server.shutdown()
    }

    private func start(speaking dialect: Dialect) async throws -> ReferenceServer {
        do {
            return try await ReferenceServer.start(
                at: listen?.address ?? .tcp(host: "127.0.0.1", port: 0), speaking: dialect,
                options: try options(dialect))
        } catch let error as ServerError {
            switch error.code {
            case .missingCommand, .unsuitableArgument, .missingBehaviour:
                throw CommandFailure(.usage, .badOption, error.message)
            default: throw CommandFailure(.unavailable, .badOption, error.message)
            }
        }
    }

    private func options(_ dialect: Dialect) throws -> ServerOptions {
        var options = ServerOptions(dialect)
        if let pingExpiry { options.rules.expiresAfter = pingExpiry.nanoseconds }
        if let history { options.rules.historyRecordsMax = history }
        if let maxConnections { options.rules.connectionsMax = maxConnections }
        options.rules.connectionsPerAddressMax = maxPerAddress
        options.rules.rate = rate?.limit
        if let sendQueue { options.sendQueueBytesMax = sendQueue }
        options.metrics = metrics?.address
        options.faults = faults.injector
        if verbose > 0 {
            options.logger = Logger(label: "linejudge.server") {
                StreamLogHandler.standardError(label: $0)
            }
            options.logger.logLevel = verbose > 1 ? .trace : .info
        }
        if let tlsCert, let tlsKey {
            let security = try TLSServer(certificatePath: tlsCert, keyPath: tlsKey)
            options.prepareConnection = { try security.secure($0) }
        }
        return options
    }
}

/// A time without a ping; `0` for no end.
struct ExpiryArgument {
    let nanoseconds: Int64?

    init(_ text: String) throws {
        nanoseconds = text == "0" ? nil : try DurationArgument(text).nanoseconds
    }
}
