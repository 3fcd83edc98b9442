package import Diagnostics
package import LineProtocol
import Results
package import Transport
package import TransportTLS

/// The server to run a recorded scenario against.
package struct ReplayTarget: Sendable {
    package let endpoint: Endpoint
    package let security: (any ConnectionSecurity)?

    /// Creates a target. If `server` does not specify a port, the dialect's default port is used.
    ///
    /// - Parameter startsTLS: True if the scenario starts TLS on an open connection.
    package init(
        _ server: Endpoint, _ dialect: Dialect, _ trust: ServerTrust, startsTLS: Bool = false
    ) throws(Diagnosed) {
        endpoint = server.withDefaultPort(dialect.port).speaking(dialect)
        guard endpoint.isComplete else {
            throw Diagnosed(
                Diagnostic(
                    .error, .badOption,
                    "--server needs a port, since the dialect has no default port"
                ).help(
                    "write --server HOST:PORT"))
        }
        security = try trust.security(for: endpoint, startsTLS: startsTLS)
    }

    package init(_ endpoint: Endpoint, _ security: (any ConnectionSecurity)?) {
        self.endpoint = endpoint
        self.security = security
    }
}
