import ArgumentParser
import Console
import DialectFiles
import Jobs
import LineProtocol
import Logging
import Manual
import ReferenceServer
import Results
import Transport
import TransportTLS

/// The `linejudge serve` command.
struct ServeCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the reference chat server.",
        usage: "linejudge serve [OPTIONS]",
        discussion: """
            Prints its address to standard output, and serves clients until SIGINT, SIGTERM or \
            SIGHUP.
            """)

    static let manual = CommandManual(
        examples: [
            "Serve IRC on a fixed port": "linejudge serve --dialect irc --listen 127.0.0.1:6667",
            "Drop one message in a hundred, to check that your tests notice":
                "linejudge serve --dialect irc --fault drop:1%",
            "Serve IRC over WebSocket":
                "linejudge serve --dialect irc --listen ws://127.0.0.1:8097",
        ],
        exitCodes: [
            .ok: "stopped by a signal",
            .usage: "invalid command line, or the dialect lacks something that the server needs",
            .unparsable: "the dialect does not parse",
            .noInput: "no such dialect",
            .unavailable: "cannot listen on the address",
        ],
        details: [
            "For the server's rules and faults, see [reference-server.md](reference-server.md)."
        ])

    @Option(
        help: ArgumentHelp(
            """
            Dialect: livechat, irc, jsonl, msnp, nats, plain or teamspeak, with or without +PROFILE, or a FILE \
            with behaviours.
            """, valueName: "name"), completion: .dialect)
    var dialect = "livechat"

    @Option(
        help: ArgumentHelp(
            """
            Address to listen on: host:port, ws://host:port/path or unix:/path (default: a free port on \
            127.0.0.1).
            """,
            valueName: "address"), transform: ClientListenArgument.init)
    var listen: ClientListenArgument?

    @Option(
        help: ArgumentHelp(
            "Close sessions that send no ping for this long; 0 for never. Defaults to the dialect's setting.",
            valueName: "time"), transform: ExpiryArgument.init)
    var pingExpiry: ExpiryArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Messages to keep in each room's history (default: 512).", valueName: "count"),
        transform: NumberArgument.within(0...1_000_000, such: 512))
    var history: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum number of connections (default: 50000).", valueName: "count"),
        transform: NumberArgument.within(1...1_000_000, such: 1000))
    var maxConnections: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum number of connections from one address (default: no limit).",
            valueName: "count"),
        transform: NumberArgument.within(1...1_000_000, such: 100))
    var maxPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            "Rate limit for lines from one connection, with an optional burst: 10/s, 10/3s, 10/s:50.",
            valueName: "rate"), transform: RateArgument.init)
    var rate: RateArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Close a connection when this many bytes are waiting to be sent (default: 1048576).",
            valueName: "bytes"),
        transform: NumberArgument.within(1_024...1_073_741_824, such: 65_536))
    var sendQueue: Int?

    @Option(
        help: ArgumentHelp(
            "Spend this much extra CPU time on each line, to simulate a slower server.",
            valueName: "time"), transform: DurationArgument.init)
    var lineCost: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Account that users can log in to with SASL PLAIN (IRC). Can be repeated.",
            valueName: "name:password"), transform: AccountArgument.init)
    var account: [AccountArgument] = []

    @OptionGroup(title: "Faults") var faults: FaultOptions

    @Option(
        help: ArgumentHelp(
            "Serve Prometheus metrics at http://ADDRESS/metrics.",
            valueName: "address"), transform: ListenArgument.init)
    var metrics: ListenArgument?

    @OptionGroup var certificate: CertificateOptions

    @Flag(name: .shortAndLong, help: "Log events to standard error; -vv logs everything.")
    var verbose: Int

    func validate() throws { try certificate.check(listen) }

    func run() async throws {
        if faults.isListRequested { return Output.standard.write(Fault.list) }
        let file = try DialectLibrary.find(dialect)
        let interruptions = Interruptions()
        let server = try await start(speaking: file.dialect)
        Output.standard.write("listening on \(endpoint(of: server))\n")
        if let metrics = server.metricsAddress {
            Output.standard.write("metrics at http://\(metrics)/metrics\n")
            MetricsWarning.show(for: metrics)
        }
        _ = await interruptions.next()
        await server.shutdown()
    }

    private func endpoint(of server: ReferenceServer) -> Endpoint {
        guard case .tcp(let host, let port) = server.address else {
            return Endpoint(.unix(path: server.address.description))
        }
        var endpoint = Endpoint(.host(host, port: port), isSecure: certificate.paths != nil)
        endpoint.webSocket = listen?.webSocket
        return endpoint
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
        if !account.isEmpty, AdapterKind(dialect) != .irc {
            throw CommandFailure(
                .usage, .badOption, "--account: only the irc dialect has accounts")
        }
        for account in account { options.rules.accounts[account.name] = account.password }
        if let lineCost { options.lineCost = lineCost.nanoseconds }
        if let sendQueue { options.sendQueueBytesMax = sendQueue }
        options.metrics = metrics?.address
        options.faults = faults.injector
        if verbose > 0 {
            options.logger = Logger(label: "linejudge.server") {
                StreamLogHandler(label: $0, stream: MaskedErrorStream())
            }
            options.logger.logLevel = verbose > 1 ? .trace : .info
        }
        let security = try certificate.paths.map {
            try TLSServer(certificatePath: $0.certificatePath, keyPath: $0.keyPath)
        }
        var address = listen?.webSocket
        address?.speak(dialect)
        let webSocket = address.map(WebSocketServer.init)
        options.prepareConnection = { [security] channel in
            try security?.secure(channel)
            try webSocket?.prepare(channel)
        }
        return options
    }
}

/// A value of `--ping-expiry`: how long a session lasts without a ping, or `0`.
struct ExpiryArgument {
    /// Time until a session without a ping expires; nil if sessions never expire.
    let nanoseconds: Int64?

    init(_ text: String) throws {
        nanoseconds = text == "0" ? nil : try DurationArgument(text).nanoseconds
    }
}

/// An account's name and password, written as `name:password`.
struct AccountArgument {
    let name: [UInt8]
    let password: [UInt8]

    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError("write the account as name:password, such as alice:secret")
        }
        name = Array(parts[0].utf8)
        password = Array(parts[1].utf8)
    }
}

/// Standard error with secrets masked.
private struct MaskedErrorStream: TextOutputStream {
    func write(_ text: String) { Output.error.write(text) }
}
