package import Diagnostics
package import Transport

/// The settings that determine which server certificates are trusted.
package struct ServerTrust: Sendable {
    /// Path of a PEM file with CA certificates to trust; nil to trust the system's.
    package var authorityPath: String?
    /// True to skip the verification of certificates.
    package var isInsecure: Bool
    /// The name that certificates must be valid for; nil for the server's host.
    package var serverName: String?

    package init(
        authorityPath: String? = nil, isInsecure: Bool = false, serverName: String? = nil
    ) {
        self.authorityPath = authorityPath
        self.isInsecure = isInsecure
        self.serverName = serverName
    }

    /// Returns the TLS client for connections to a server; nil if they do not use TLS.
    ///
    /// - Parameter startsTLS: true if connections can start TLS after they are established.
    /// - Throws: an error if there are trust settings but the connections do not use TLS.
    package func security(
        for server: Endpoint?, startsTLS: Bool = false
    ) throws(Diagnosed) -> (any ConnectionSecurity)? {
        guard startsTLS || server?.isSecure == true else {
            guard authorityPath != nil || isInsecure || serverName != nil else { return nil }
            throw Diagnosed(
                Diagnostic(
                    .error, "command.bad-option",
                    "--tls-ca, --server-name and --insecure require a TLS server"
                ).help(
                    "write --server tls://HOST:PORT or wss://HOST/PATH, or use a scenario with "
                        + "`starttls`"))
        }
        var options = TLSOptions()
        options.authorityPath = authorityPath
        options.isInsecure = isInsecure
        options.serverName = serverName
        return try TLSClient(options)
    }
}
