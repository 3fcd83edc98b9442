import ArgumentParser
import Diagnostics
import Transport
import TransportTLS

/// Options that say which server certificates to trust.
struct ServerTrustOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            "CA certificates (PEM) to trust instead of the system's.", valueName: "file"),
        completion: .file())
    var authority: String?

    @Flag(help: "Do not verify the server's certificate.")
    var insecure = false

    /// TLS for connections to a server; nil if it does not use TLS.
    ///
    /// - Throws: an error if the options are given for a server without TLS.
    func security(for server: Endpoint?) throws(Diagnosed) -> (any ConnectionSecurity)? {
        guard let server, server.isSecure else {
            guard authority != nil || insecure else { return nil }
            throw Diagnosed(
                Diagnostic(
                    .error, .badOption, "--tls-ca and --insecure require a TLS server"
                ).help("write --server tls://HOST:PORT"))
        }
        var options = TLSOptions()
        options.authorityPath = authority
        options.isInsecure = insecure
        return try TLSClient(options)
    }
}
