#if TLS
    import Diagnostics
    import Glibc
    import NIOCore
    import NIOSSL
    import Transport

    /// Descriptions of TLS errors.
    enum TLSReason {
        private static let known: [(mark: String, meaning: String)] = [
            ("CERTIFICATE_VERIFY_FAILED", "the server's certificate is not trusted"),
            ("EOF during handshake", "the server closed the connection during the handshake"),
            ("WRONG_VERSION_NUMBER", "the server does not speak TLS"),
            ("HTTP_REQUEST", "the peer does not speak TLS"),
            ("UNSUPPORTED_PROTOCOL", "the server supports only obsolete TLS versions"),
            ("ALERT_PROTOCOL_VERSION", "the server does not support TLS 1.2 or later"),
            ("CERTIFICATE_REQUIRED", "the server requires a client certificate"),
            ("ALERT_UNKNOWN_CA", "the server does not trust the CA of the client certificate"),
            ("ALERT_BAD_CERTIFICATE", "the server does not accept the client certificate"),
            ("UNRECOGNIZED_NAME", "the server does not recognise the requested name"),
            ("HANDSHAKE_FAILURE", "client and server have no TLS version or cipher in common"),
        ]

        static func failure(_ error: any Error) -> ConnectFailure {
            error as? ConnectFailure ?? ConnectFailure("TLS: \(text(error))", cause(error))
        }

        /// Describes why a handshake failed. If the certificate is for different names than
        /// expected, lists them.
        static func failure(
            _ error: any Error, expected: String?, certificateNames names: [String]
        ) -> ConnectFailure {
            let failure = failure(error)
            guard failure.cause == .certificateName else { return failure }
            let wanted = expected.map { "`\(escapedForDisplay($0))`" } ?? "the server's address"
            return ConnectFailure(
                names.isEmpty
                    ? "TLS: the server's certificate has no names, so it is not valid for \(wanted)"
                    : "TLS: the server's certificate is for \(CertificateNames.list(names)), "
                        + "not for \(wanted)", .certificateName)
        }

        private static func cause(_ error: any Error) -> ConnectFailure.Cause {
            if (error as? NIOSSLExtraError) == .failedToValidateHostname { return .certificateName }
            if case NIOSSLError.unableToValidateCertificate = error { return .certificate }
            let text = String(describing: error)
            if text.contains("CERTIFICATE_VERIFY_FAILED") { return .certificate }
            if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST"].contains(where: text.contains) {
                return .notTLS
            }
            // A server that sends an alert speaks TLS. A server that only disconnects may not.
            let isEnded = ["closed the connection", "reset the connection"].contains {
                self.text(error).contains($0)
            }
            return isEnded ? .handshake : .network
        }

        static func text(_ error: any Error) -> String {
            switch error {
            case let error as NIOSSLExtraError where error == .failedToValidateHostname:
                return "the server's certificate is for another name"
            case NIOSSLError.unableToValidateCertificate: return "the certificate is not trusted"
            case NIOSSLError.uncleanShutdown, NIOSSLError.handshakeFailed(.zeroReturn),
                ChannelError.eof:
                return "the server closed the connection during the handshake"
            case let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode):
                return "the server reset the connection during the handshake"
            case let error as IOError: return escapedForDisplay(String(describing: error))
            default: break
            }
            let text = String(describing: error)
            if let known = known.first(where: { text.contains($0.mark) }) { return known.meaning }
            return escapedForDisplay(text)
        }
    }
#endif
