import ArgumentParser
import TransportTLS

/// Options for the server to test.
struct ServerAddressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Server to test: host:port, tls://host:port, irc://host, ircs://host, ws://host/path, \
            wss://host/path or unix:/path.
            """, valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            """
            Start the server with this command and stop it afterwards. {{port}} is replaced by a \
            free port, {{dir}} by an empty folder.
            """, valueName: "command"))
    var exec: String?
}

/// Options for how long to wait for servers.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Time limit for a server started by --exec to accept connections (default: 20s).",
            valueName: "time"), transform: DurationArgument.init)
    var startTimeout: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Wait up to this long for the server named by --server to accept connections.",
            valueName: "time"), transform: DurationArgument.init)
    var wait: DurationArgument?

    /// Throws a usage error if an option would have no effect.
    ///
    /// - Parameters:
    ///   - server: Whether `--server` is given.
    ///   - exec: Whether `--exec` is given.
    ///   - filesStart: Whether scenarios can also start servers.
    func check(server: Bool, exec: Bool, filesStart: Bool = false) throws {
        if wait != nil, exec {
            throw ValidationError("--wait is for running servers; with --exec, use --start-timeout")
        }
        if wait != nil, !server { throw ValidationError("--wait requires --server") }
        if startTimeout != nil, !exec, !filesStart || server {
            throw ValidationError(
                server
                    ? "--start-timeout requires --exec; for a running server, use --wait"
                    : "--start-timeout requires --exec")
        }
    }

    func check(_ target: ServerAddressOptions, filesStart: Bool = false) throws {
        try check(
            server: target.server != nil, exec: target.exec != nil, filesStart: filesStart)
    }
}

/// Options for trusting server certificates.
struct ServerTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            "CA certificates (PEM) to trust instead of the system's.", valueName: "file"),
        completion: .file())
    var authority: String?

    @Option(
        help: ArgumentHelp(
            "Name that the server's certificate must have; also sent to the server (SNI).",
            valueName: "name"))
    var serverName: String?

    @Flag(help: "Do not verify the server's certificate.")
    var insecure = false

    var trust: ServerTrust {
        ServerTrust(authorityPath: authority, isInsecure: insecure, serverName: serverName)
    }
}
