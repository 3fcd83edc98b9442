#if !TLS
    public import Diagnostics
    public import NIOCore
    public import Transport

    /// TLS for client connections, in a build without TLS.
    public struct TLSClient: ConnectionSecurity {
        /// Throws an error with the command that builds with TLS.
        public init(_ options: TLSOptions = TLSOptions()) throws(Diagnosed) {
            throw TLSUnavailable.error
        }

        /// Fails.
        public func secure(
            _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
            host: String?
        ) -> EventLoopFuture<Void> {
            channel.eventLoop.makeFailedFuture(TLSUnavailable.error)
        }
    }

    /// TLS for server connections, in a build without TLS.
    public struct TLSServer: Sendable {
        /// Throws an error with the command that builds with TLS.
        public init(
            certificatePath: String, keyPath: String, clientAuthorityPath: String? = nil
        ) throws(Diagnosed) {
            throw TLSUnavailable.error
        }

        /// Throws.
        public func secure(_ channel: any Channel) throws { throw TLSUnavailable.error }
    }

    private enum TLSUnavailable {
        static let error = Diagnosed(
            Diagnostic(.error, "transport.no-tls", "this program was built without TLS")
                .help("build it with the trait TLS, which is on by default: swift build"))
    }
#endif
