import ArgumentParser

/// Options for the certificate of a server that listens for clients.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use TLS for client connections, with this certificate (PEM).", valueName: "file"),
        completion: .file())
    var tlsCert: String?

    @Option(
        help: ArgumentHelp("Private key of the certificate (PEM).", valueName: "file"),
        completion: .file())
    var tlsKey: String?

    /// Paths of the certificate and its key; nil if TLS is not used.
    var paths: (certificatePath: String, keyPath: String)? {
        tlsCert.flatMap { certificate in tlsKey.map { (certificate, $0) } }
    }

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-cert and --tls-key must be given together")
        }
    }

    /// Throws a usage error if the address requires TLS but there is no certificate.
    func check(_ listen: ClientListenArgument?) throws {
        guard listen?.isSecure == true, tlsCert == nil else { return }
        throw ValidationError("wss:// requires --tls-cert and --tls-key")
    }
}
