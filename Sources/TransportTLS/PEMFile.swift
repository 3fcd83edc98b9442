#if TLS
    import Diagnostics
    import Glibc
    import NIOSSL

    extension DiagnosticCode {
        static let badTLSFile: DiagnosticCode = "transport.bad-tls-file"
    }

    /// Reader for certificates and keys. Errors include the file and the reason.
    enum PEMFile {
        static func certificates(_ path: String) throws(Diagnosed) -> [NIOSSLCertificate] {
            try checkReadable(path, "certificate")
            let found = try? NIOSSLCertificate.fromPEMFile(path)
            guard let found, !found.isEmpty else {
                throw wrong(
                    "`\(escapedForDisplay(path))` contains no certificate",
                    help: "expected a PEM file with `-----BEGIN CERTIFICATE-----`")
            }
            return found
        }

        static func key(_ path: String) throws(Diagnosed) -> NIOSSLPrivateKey {
            try checkReadable(path, "key")
            guard let key = try? NIOSSLPrivateKey(file: path, format: .pem) else {
                throw wrong(
                    "`\(escapedForDisplay(path))` contains no readable private key",
                    help: "expected a PEM file with `-----BEGIN PRIVATE KEY-----`; "
                        + "keys with a passphrase are not supported")
            }
            return key
        }

        static func context(
            _ configuration: TLSConfiguration, certificate: String?, key: String?
        ) throws(Diagnosed) -> NIOSSLContext {
            do {
                return try NIOSSLContext(configuration: configuration)
            } catch {
                guard let certificate else {
                    throw wrong("TLS cannot be set up: \(TLSReason.text(error))", help: nil)
                }
                let key = escapedForDisplay(key ?? certificate)
                throw wrong(
                    "the key in `\(key)` does not match the certificate in "
                        + "`\(escapedForDisplay(certificate))`",
                    help: "the first certificate in the file must match the key")
            }
        }

        private static func checkReadable(_ path: String, _ what: String) throws(Diagnosed) {
            guard unsafe access(path, R_OK) != 0 else { return }
            let error = SystemError(errno)
            throw wrong(
                "cannot read the \(what) file `\(escapedForDisplay(path))`: \(error)", help: nil)
        }

        private static func wrong(_ message: String, help: String?) -> Diagnosed {
            let diagnostic = Diagnostic(.error, .badTLSFile, message)
            return Diagnosed(help.map(diagnostic.help) ?? diagnostic)
        }
    }
#endif
