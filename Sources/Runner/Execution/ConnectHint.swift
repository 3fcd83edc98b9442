import Diagnostics
import Results
import Session
import SessionTransport
package import Transport

extension SessionOutcome {
    /// Adds hints about connections that failed because of TLS, naming the command-line options to
    /// use.
    func hinted(_ endpoint: Endpoint) -> SessionOutcome {
        guard isUnreachable, let hint = tlsHint(endpoint) else { return self }
        var copy = self
        var diagnostic = copy.result.diagnostic
        // The server answered, so hints that it may not be running are misleading.
        diagnostic?.notes.removeAll { $0.kind == .help }
        diagnostic = diagnostic?.help(hint)
        if let reason = connectFailure, diagnostic?.message.contains(reason) == false {
            diagnostic = diagnostic?.note(reason)
        }
        copy.result.diagnostic = diagnostic
        return copy
    }

    private func tlsHint(_ endpoint: Endpoint) -> String? {
        switch connectCause {
        case .network, nil: nil
        case .notTLS, .handshake:
            "the port does not seem to speak TLS; to connect without it: --server "
                + "\(endpoint.dialect ?? "tcp")://\(endpoint.location)"
        case .certificate:
            "pass the certificate authority with --tls-ca FILE, "
                + "or accept any certificate with --insecure"
        case .certificateName:
            "connect with a name from the certificate, pass it with --server-name NAME, or accept any "
                + "certificate with --insecure"
        }
    }

    /// True if no operator received a line of the dialect. The server may then use another
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

    /// Adds a hint that the server uses another protocol.
    func hinted(_ found: ProtocolProbe.Found, _ endpoint: Endpoint) -> SessionOutcome {
        var copy = self
        copy.result.diagnostic = copy.result.diagnostic?.help(found.hint(at: endpoint))
        return copy
    }
}

extension ProtocolProbe.Found {
    /// Describes the protocol that a server uses, and how to connect to it.
    package func hint(at endpoint: Endpoint) -> String {
        switch self {
        case .tls:
            "the server speaks TLS: use --server "
                + "\(endpoint.dialect == "irc" ? "ircs" : "tls")://\(endpoint.location)"
        case .http: "the server speaks HTTP: is \(endpoint.location) the right port?"
        case .ssh: "the server speaks SSH: is \(endpoint.location) the right port?"
        }
    }
}
