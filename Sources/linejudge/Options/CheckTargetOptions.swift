import ArgumentParser
import Conformance
import Results

/// Options that name the servers to check.
struct CheckTargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Server to check: host:port, tls://host:port, irc://host or unix:/path. Repeatable; the \
            same checks run against each.
            """, valueName: "url"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Start the server with this command and stop it afterwards. {{port}} is replaced by a free \
            port, {{dir}} by an empty directory. Repeatable.
            """, valueName: "command"))
    var exec: [String] = []

    @Option(
        help: ArgumentHelp(
            "Name of a server in the matrix; one for each --server, then for each --exec.",
            valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Dialect to check: NAME, FILE, or either with +PROFILE; defaults to the scheme of --server.",
            valueName: "name"), completion: .dialect)
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "Server software, which known failures depend on: ngircd@26.1; given like --name.",
            valueName: "name@version"))
    var software: [String] = []

    @OptionGroup var trust: ServerTrustOptions

    func validate() throws {
        guard count <= CheckMatrix.serversMax else {
            throw ValidationError("at most \(CheckMatrix.serversMax) servers can be compared")
        }
        if !name.isEmpty, name.count != count {
            throw ValidationError(
                "--name is given \(name.count) times for \(count) servers: name all or none")
        }
        if !software.isEmpty, software.count != count {
            throw ValidationError(
                "--software is given \(software.count) times for \(count) servers: give it for all "
                    + "or none")
        }
    }

    /// The number of servers; a `--server` next to a single `--exec` says where that one listens.
    var count: Int { isOneStarted ? 1 : max(server.count + exec.count, 1) }

    /// Whether `--server` is the address of the server that `--exec` starts.
    var isOneStarted: Bool { exec.count == 1 && server.count <= 1 }
}
