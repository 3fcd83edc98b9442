public import NIOCore

/// Makes connections secure; `TransportTLS` has the one that does.
///
/// It stands here, so that whoever needs no TLS does not build it.
public protocol ConnectionSecurity: Sendable {
    /// Puts handlers into the pipeline of a connection that stands.
    ///
    /// - Parameters:
    ///   - channel: the connection; the call comes on its event loop.
    ///   - position: where the first handler belongs; further ones follow it.
    ///   - host: the server's name or number as it was given; nil for a Unix socket.
    /// - Returns: what succeeds when bytes can go over it, and fails with a ``ConnectFailure``.
    func secure(
        _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
        host: String?
    ) -> EventLoopFuture<Void>
}
