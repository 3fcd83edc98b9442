import Diagnostics
import Glibc
import NIOSSL

extension DiagnosticCode {
    static let badTLSFile: DiagnosticCode = "transport.bad-tls-file"
}

/// Reads certificates and keys; what cannot be read says which file and why.
enum PEMFile {
    /// The certificates in a file; at least one.
    static func certificates(_ path: String) throws(Diagnosed) -> [NIOSSLCertificate] {
        try checkReadable(path, "certificate")
        let found = try? NIOSSLCertificate.fromPEMFile(path)
        guard let found, !found.isEmpty else {
            throw wrong(
                "`\(escapedForDisplay(path))` holds no certificate",
                help: "a PEM file has lines `-----BEGIN CERTIFICATE-----`")
        }
        return found
    }

    /// The private key in a file.
    static func key(_ path: String) throws(Diagnosed) -> NIOSSLPrivateKey {
        try checkReadable(path, "key")
        guard let key = try? NIOSSLPrivateKey(file: path, format: .pem) else {
            throw wrong(
                "`\(escapedForDisplay(path))` holds no private key that can be read",
                help: "a PEM file has a line `-----BEGIN PRIVATE KEY-----`; "
                    + "a key with a passphrase is not read")
        }
        return key
    }

    /// The context for a configuration whose files have been read.
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
                "the key in `\(key)` does not belong to the certificate in "
                    + "`\(escapedForDisplay(certificate))`",
                help: "the first certificate of the file is the one that the key is for")
        }
    }

    private static func checkReadable(_ path: String, _ what: String) throws(Diagnosed) {
        guard unsafe access(path, R_OK) != 0 else { return }
        let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "no reason given"
        throw wrong(
            "the \(what) file `\(escapedForDisplay(path))` cannot be read: \(reason)", help: nil)
    }

    private static func wrong(_ message: String, help: String?) -> Diagnosed {
        let diagnostic = Diagnostic(.error, .badTLSFile, message)
        return Diagnosed(help.map(diagnostic.help) ?? diagnostic)
    }
}
