import ArgumentParser
import Diagnostics
import Transport
import TransportTLS

/// Which certificates of a server are taken.
struct ServerTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            "Trust these certificates (PEM) of the server instead.", valueName: "file"))
    var authority: String?

    @Flag(help: "Take any certificate of the server.")
    var insecure = false

    /// What makes connections to a server secure, if it wants that; of one that does not, a wrong command
    /// line where the options were given.
    func security(for server: Endpoint?) throws(Diagnosed) -> (any ConnectionSecurity)? {
        guard let server, server.isSecure else {
            guard authority != nil || insecure else { return nil }
            throw Diagnosed(
                Diagnostic(
                    .error, .badOption, "--tls-ca and --insecure are for a server that speaks TLS"
                ).help("write --server tls://HOST:PORT"))
        }
        var options = TLSOptions()
        options.authorityPath = authority
        options.isInsecure = insecure
        return try TLSClient(options)
    }
}
