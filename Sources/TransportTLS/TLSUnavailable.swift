#if !TLS
    public import Diagnostics
    public import NIOCore
    public import Transport

    /// The client type in builds without TLS. Every call fails with an explanation.
    public struct TLSClient: ConnectionSecurity {
        /// Throws an error that shows the command to build with TLS.
        public init(_ options: TLSOptions = TLSOptions()) throws(Diagnosed) {
            throw TLSUnavailable.error
        }

        /// Returns a future that has failed.
        public func secure(
            _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
            host: String?
        ) -> EventLoopFuture<Void> {
            channel.eventLoop.makeFailedFuture(TLSUnavailable.error)
        }
    }

    /// The server type in builds without TLS. Every call fails with an explanation.
    public struct TLSServer: Sendable {
        /// Throws an error that shows the command to build with TLS.
        public init(
            certificatePath: String, keyPath: String, clientAuthorityPath: String? = nil
        ) throws(Diagnosed) {
            throw TLSUnavailable.error
        }

        /// Throws an error that shows the command to build with TLS.
        public func secure(_ channel: any Channel) throws { throw TLSUnavailable.error }
    }

    private enum TLSUnavailable {
        static let error = Diagnosed(
            Diagnostic(.error, "transport.no-tls", "this program was built without TLS")
                .help("build it with the TLS trait, which is on by default: swift build"))
    }
#endif
