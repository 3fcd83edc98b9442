#if TLS
    public import Diagnostics
    public import NIOCore
    import NIOSSL
    public import Transport

    /// TLS for client connections.
    public struct TLSClient: ConnectionSecurity {
        private let context: NIOSSLContext
        private let serverName: String?

        /// Creates a client. Throws an error if one of the files in the options is invalid.
        public init(_ options: TLSOptions = TLSOptions()) throws(Diagnosed) {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if options.isInsecure { configuration.certificateVerification = .none }
            if let path = options.authorityPath {
                configuration.trustRoots = .certificates(try PEMFile.certificates(path))
            }
            if let path = options.certificatePath {
                configuration.certificateChain = try PEMFile.certificates(path).map {
                    .certificate($0)
                }
                configuration.privateKey = .privateKey(try PEMFile.key(options.keyPath ?? path))
            } else if let path = options.keyPath {
                throw Diagnosed(
                    Diagnostic(
                        .error, .badTLSFile,
                        "the private key `\(escapedForDisplay(path))` has no certificate"
                    ).help("pass its certificate as well"))
            }
            context = try PEMFile.context(
                configuration, certificate: options.certificatePath, key: options.keyPath)
            serverName = options.serverName
        }

        /// Starts the TLS handshake.
        public func secure(
            _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
            host: String?
        ) -> EventLoopFuture<Void> {
            let promise = channel.eventLoop.makePromise(of: Void.self)
            let wanted = serverName ?? host
            let watcher = HandshakeWatcher(promise, expecting: wanted)
            do {
                let name = wanted.flatMap(Self.serverNameForSNI)
                let handler = try NIOSSLClientHandler(context: context, serverHostname: name)
                let pipeline = channel.pipeline.syncOperations
                // The watcher is added first, so that it does not miss the start of the handshake.
                try pipeline.addHandler(watcher, position: position)
                try pipeline.addHandler(handler, position: .before(watcher))
            } catch {
                watcher.fail(TLSReason.failure(error))
            }
            return promise.futureResult
        }

        /// Returns the server name for SNI; nil for an IP address, because the certificate is then
        /// checked against the address.
        private static func serverNameForSNI(_ host: String) -> String? {
            if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
            return host.hasSuffix(".") ? String(host.dropLast()) : host
        }
    }
#endif
