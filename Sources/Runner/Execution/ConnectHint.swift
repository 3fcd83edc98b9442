import Diagnostics
import Session
import SessionTransport
import Transport

extension SessionOutcome {
    /// Adds hints for connections that failed because of TLS, in terms of command-line options.
    func hinted(_ endpoint: Endpoint) -> SessionOutcome {
        guard isUnreachable, let hint = tlsHint(endpoint) else { return self }
        var copy = self
        var diagnostic = copy.result.diagnostic
        // The server answered, so hints about whether it runs are misleading.
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
        }
    }
}
