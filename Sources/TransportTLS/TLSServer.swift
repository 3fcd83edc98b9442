#if TLS
    public import Diagnostics
    public import NIOCore
    import NIOSSL

    /// TLS for server connections.
    public struct TLSServer: Sendable {
        private let context: NIOSSLContext

        /// Creates a server. Throws an error if one of the files is invalid.
        ///
        /// - Parameters:
        ///   - certificatePath: path of a PEM file with the certificate and its chain.
        ///   - keyPath: path of a PEM file with the private key.
        ///   - clientAuthorityPath: path of a PEM file with CA certificates for checking clients.
        ///     If it is given, clients must present a certificate.
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

        /// Adds the TLS handler to a new connection. Must be called in the initialiser of accepted
        /// channels, on their event loop and before other handlers are added.
        ///
        /// - Throws: An error if the connection has already been closed.
        public func secure(_ channel: any Channel) throws {
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(context: context), position: .first)
        }
    }
#endif
