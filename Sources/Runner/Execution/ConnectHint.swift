import Diagnostics
import Results
import Session
import SessionTransport
package import Transport

extension SessionOutcome {
    /// Adds advice on connections that failed because of TLS or WebSocket, including the
    /// command-line options to use.
    func hinted(_ endpoint: Endpoint) -> SessionOutcome {
        guard isUnreachable, let hint = tlsHint(endpoint) else { return self }
        var copy = self
        var diagnostic = copy.result.diagnostic
        // The server answered, so it would be misleading to suggest that it may not be running.
        diagnostic?.notes.removeAll { $0.kind == .help }
        diagnostic = diagnostic?.help(hint)
        if let reason = connectFailure, diagnostic?.message.contains(reason) == false {
            diagnostic = diagnostic?.note(reason)
        }
        copy.result.diagnostic = diagnostic
        return copy
    }

    private func tlsHint(_ endpoint: Endpoint) -> String? { connectCause?.hint(at: endpoint) }

    /// True if no operator received a line in the dialect, in which case the server may use another
    /// protocol.
    var isUnanswered: Bool {
        result.outcome != .passed && connectionsMade > 0
            && result.transcript.allSatisfy { entry in
                entry.kind != .received || ProtocolProbe.found(in: entry.bytes) != nil
            }
            || result.transcript.first { $0.kind == .received }
                .map { ProtocolProbe.found(in: $0.bytes) != nil } == true
    }

    /// Adds a note to the error, if there is one.
    func explained(_ note: String) -> SessionOutcome {
        var copy = self
        copy.result.diagnostic = copy.result.diagnostic?.note(note)
        return copy
    }

    /// Adds advice about the protocol that the server uses instead of the dialect.
    func hinted(_ found: ProtocolProbe.Found, _ endpoint: Endpoint) -> SessionOutcome {
        var copy = self
        copy.result.diagnostic = copy.result.diagnostic?.help(found.hint(at: endpoint))
        return copy
    }
}

extension ProtocolProbe.Found {
    /// Returns a sentence that states the server's protocol and how to connect to it.
    package func hint(at endpoint: Endpoint) -> String {
        switch self {
        case .tls:
            "the server speaks TLS: use --server "
                + "\(endpoint.dialect == "irc" ? "ircs" : "tls")://\(endpoint.location)"
        case .http:
            "the server speaks HTTP: is \(endpoint.location) the right port? For WebSocket, "
                + "use --server ws://\(endpoint.location)/PATH"
        case .ssh: "the server speaks SSH: is \(endpoint.location) the right port?"
        }
    }
}

extension ConnectFailure.Cause {
    /// Returns advice on a connection that failed because of TLS or WebSocket, including the
    /// command-line options to use; nil if it failed for another reason.
    package func hint(at endpoint: Endpoint) -> String? {
        switch self {
        case .network: nil
        case .webSocket:
            "check the port and the path; to connect without WebSocket: --server "
                + "\(endpoint.isSecure ? "tls" : "tcp")://HOST:PORT"
        case .notTLS, .handshake:
            "the port does not seem to speak TLS; to connect without it: --server "
                + (endpoint.webSocket == nil
                    ? "\(endpoint.dialect ?? "tcp")://\(endpoint.location)"
                    : "ws://\(endpoint.location)")
        case .certificate:
            "pass the certificate authority with --tls-ca FILE, "
                + "or accept any certificate with --insecure"
        case .certificateName:
            "use a name from the certificate in --server or --server-name, or accept any "
                + "certificate with --insecure"
        }
    }
}
