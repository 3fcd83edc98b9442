public import Diagnostics
public import NIOCore
import NIOSSL
public import Transport

/// Makes the connections of a client secure.
public struct TLSClient: ConnectionSecurity {
    private let context: NIOSSLContext
    private let serverName: String?

    /// Reads the files that the options name, or throws what is wrong with them.
    public init(_ options: TLSOptions = TLSOptions()) throws(Diagnosed) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if options.isInsecure { configuration.certificateVerification = .none }
        if let path = options.authorityPath {
            configuration.trustRoots = .certificates(try PEMFile.certificates(path))
        }
        if let path = options.certificatePath {
            configuration.certificateChain = try PEMFile.certificates(path).map { .certificate($0) }
            configuration.privateKey = .privateKey(try PEMFile.key(options.keyPath ?? path))
        } else if let path = options.keyPath {
            throw Diagnosed(
                Diagnostic(
                    .error, .badTLSFile, "the key `\(escapedForDisplay(path))` has no certificate"
                ).help("name its certificate, too"))
        }
        context = try PEMFile.context(
            configuration, certificate: options.certificatePath, key: options.keyPath)
        serverName = options.serverName
    }

    /// Begins the handshake.
    public func secure(
        _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
        host: String?
    ) -> EventLoopFuture<Void> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let watcher = HandshakeWatcher(promise)
        do {
            let name = (serverName ?? host).flatMap(Self.nameToAskFor)
            let handler = try NIOSSLClientHandler(context: context, serverHostname: name)
            let pipeline = channel.pipeline.syncOperations
            // The watcher goes first, so that it is there when the handshake begins.
            try pipeline.addHandler(watcher, position: position)
            try pipeline.addHandler(handler, position: .before(watcher))
        } catch {
            watcher.fail(TLSReason.failure(error))
        }
        return promise.futureResult
    }

    /// A number cannot be asked for; the certificate is then compared with the address itself.
    private static func nameToAskFor(_ host: String) -> String? {
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
