import Diagnostics
import Session
import SessionTransport
import Transport

extension SessionOutcome {
    /// With what to do about a connection that TLS kept from being made, in the words of the command line.
    func hinted(_ endpoint: Endpoint) -> SessionOutcome {
        guard isUnreachable, let hint = tlsHint(endpoint) else { return self }
        var copy = self
        var diagnostic = copy.result.diagnostic
        // Whether it runs and where is no longer the question.
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
            "the port seems not to speak TLS: if so, write --server "
                + "\(endpoint.dialect ?? "tcp")://\(endpoint.place)"
        case .certificate:
            "name the authority that vouches for it with --tls-ca FILE, "
                + "or take any certificate with --insecure"
        }
    }
}
