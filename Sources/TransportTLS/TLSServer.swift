public import Diagnostics
public import NIOCore
import NIOSSL

/// Makes the connections of a server secure.
public struct TLSServer: Sendable {
    private let context: NIOSSLContext

    /// Reads the files, or throws what is wrong with them.
    ///
    /// - Parameters:
    ///   - certificatePath: a PEM file with the certificate, and those that vouch for it.
    ///   - keyPath: the PEM file with its key.
    ///   - clientAuthorityPath: a PEM file with the certificates of whoever may vouch for a client;
    ///     with it, a client without a certificate is turned away.
    public init(
        certificatePath: String, keyPath: String, clientAuthorityPath: String? = nil
    ) throws(Diagnosed) {
        let chain = try PEMFile.certificates(certificatePath)
        let key = try PEMFile.key(keyPath)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        if let path = clientAuthorityPath {
            configuration.trustRoots = .certificates(try PEMFile.certificates(path))
            configuration.certificateVerification = .noHostnameVerification
        }
        context = try PEMFile.context(configuration, certificate: certificatePath, key: keyPath)
    }

    /// Puts the handler in front of a new connection; to be called by the initialiser of accepted
    /// channels, on their event loop, before other handlers are added.
    public func secure(_ channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(
            NIOSSLServerHandler(context: context), position: .first)
    }
}
