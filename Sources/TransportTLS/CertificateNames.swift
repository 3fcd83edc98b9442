#if TLS
    import Diagnostics
    import NIOCore
    import NIOSSL

    /// Functions for the names that a certificate is valid for.
    enum CertificateNames {
        /// Maximum number of names listed.
        private static let namesMax = 10

        /// Returns the DNS names and IP addresses, in the certificate's order.
        static func names(_ certificate: NIOSSLCertificate) -> [String] {
            certificate._subjectAlternativeNames().compactMap { name in
                switch name.nameType {
                case .dnsName: escapedForDisplay(Array(name.contents))
                case .ipAddress: address(Array(name.contents))
                default: nil
                }
            }
        }

        private static func address(_ bytes: [UInt8]) -> String? {
            var buffer = ByteBuffer()
            buffer.writeBytes(bytes)
            return (try? SocketAddress(packedIPAddress: buffer, port: 0))?.ipAddress
        }

        /// Formats a list of names: `a.example, b.example and 2 more`.
        static func list(_ names: [String]) -> String {
            let shown = names.prefix(namesMax).joined(separator: ", ")
            return names.count > namesMax ? "\(shown) and \(names.count - namesMax) more" : shown
        }
    }
#endif
