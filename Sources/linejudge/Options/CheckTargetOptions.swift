import ArgumentParser
import Conformance
import Results

/// Which servers are checked, and what they are.
struct CheckTargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Where it listens: host:port, tls://host:port, unix:/path. Repeatable: servers are checked one \
            after another and set side by side.
            """, valueName: "url"))
    var server: [String] = []

    @Option(
        help: ArgumentHelp(
            "Start it: {{port}} and {{dir}} stand for a free port and an empty folder. Repeatable.",
            valueName: "command"))
    var exec: [String] = []

    @Option(
        help: ArgumentHelp(
            "What a server is called beside others; of each one, first of --server, then of --exec.",
            valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Check by this dialect: NAME, FILE, or either with +PROFILE.", valueName: "name"))
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "What it is, for known failures: ngircd@26.1; of each one, as --name.",
            valueName: "name@version"))
    var software: [String] = []

    @OptionGroup var trust: ServerTrustOptions

    func validate() throws {
        guard count <= CheckMatrix.serversMax else {
            throw ValidationError("at most \(CheckMatrix.serversMax) servers stand side by side")
        }
        if !name.isEmpty, name.count != count {
            throw ValidationError(
                "\(count) servers have \(name.count) names: give each one, or none")
        }
        if !software.isEmpty, software.count != count {
            throw ValidationError(
                "\(count) servers have \(software.count) times --software: give each one, or none")
        }
    }

    /// How many servers there are; a --server beside one --exec says where that one listens.
    var count: Int { isOneStarted ? 1 : max(server.count + exec.count, 1) }

    /// Whether the --server says where the --exec listens.
    var isOneStarted: Bool { exec.count == 1 && server.count <= 1 }
}
