import NIOCore
import Session
import Transport

extension SessionLoop where Machine: ~Copyable {
    /// Encrypts an open connection. The session gets an event when the handshake has ended.
    func startTLS(_ connection: Connection) {
        guard let channel = connection.channel, let front = front(of: channel) else { return }
        guard let security = context.security else {
            return securingFailed("TLS is not configured", connection)
        }
        guard !context.endpoint.isSecure, !connection.isSecure else {
            return securingFailed("the connection already uses TLS", connection)
        }
        connection.isSecure = true
        security.secure(channel, at: .after(front), host: context.endpoint.host)
            .assumeIsolated().whenComplete { outcome in
                guard connection.phase == .open else { return }
                switch outcome {
                case .success: self.emit(.secured(connection.id))
                case .failure(let error): self.securingFailed(error, connection)
                }
            }
    }

    private func securingFailed(_ error: any Error, _ connection: Connection) {
        let failure = ConnectFailure(
            error, endpoint: context.endpoint, timeout: limits.connectTimeout)
        let isTrustMissing = [.certificate, .certificateName].contains(failure.cause)
        securingFailed(failure.reason, isServersFault: !isTrustMissing, connection)
    }

    private func securingFailed(
        _ reason: String, isServersFault: Bool = false, _ connection: Connection
    ) {
        emit(.securingFailed(connection.id, reason: reason, isServersFault: isServersFault))
    }
}
