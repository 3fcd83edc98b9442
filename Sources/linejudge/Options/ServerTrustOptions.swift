import ArgumentParser
import TransportTLS

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
