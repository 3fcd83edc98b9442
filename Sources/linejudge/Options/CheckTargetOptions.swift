import ArgumentParser
import Conformance
import Results

/// Options for the servers to check.
struct CheckTargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Server to check: host:port, tls://host:port, irc://host, ws://host/path or unix:/path. \
            Repeatable; the same checks run against each.
            """, valueName: "url"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Start the server with this command and stop it afterwards. {{port}} is replaced by a \
            free port, {{dir}} by an empty folder. Repeatable.
            """, valueName: "command"))
    var exec: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Judge the traffic in this capture instead of checking a server; - for standard input. \
            Repeatable; several files are read as one.
            """, valueName: "file"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var capture: [String] = []

    @Option(
        help: ArgumentHelp(
            "Label for a server in the matrix; pass one for each --server, then one for each --exec.",
            valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Dialect to check: NAME, FILE, or either with +PROFILE; defaults to the scheme of --server.",
            valueName: "name"), completion: .dialect)
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "Server software and version, such as ngircd@26.1, used to match known failures. Pass one for each server, in the same order.",
            valueName: "name@version"))
    var software: [String] = []

    func validate() throws {
        if capture.count > 1, capture.contains("-") {
            throw ValidationError("standard input (-) cannot be combined with other captures")
        }
        guard count <= CheckMatrix.serversMax else {
            throw ValidationError("at most \(CheckMatrix.serversMax) servers can be compared")
        }
        if !name.isEmpty, name.count != count {
            throw ValidationError(
                "--name is given \(name.count) times for \(count) servers: name all or none")
        }
        if !software.isEmpty, software.count != count {
            throw ValidationError(
                "--software is given \(software.count) times for \(count) servers: pass it for all "
                    + "or none")
        }
    }

    /// Number of servers to check.
    var count: Int { servers.count }

    /// Returns the servers, and how to connect to them.
    func targets(_ connection: ConnectionOptions, _ trust: ServerTrustOptions) -> CheckTargets {
        var targets = servers
        targets.startTimeout = connection.startTimeout?.nanoseconds
        targets.trust = trust.trust
        return targets
    }

    private var servers: CheckTargets {
        var targets = CheckTargets()
        targets.servers = server
        targets.commands = exec
        targets.names = name
        targets.software = software
        return targets
    }
}
