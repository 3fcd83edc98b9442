public import NIOCore

/// Adds TLS to connections; implemented in `TransportTLS`.
///
/// A separate protocol, so that programs without TLS need not build it.
public protocol ConnectionSecurity: Sendable {
    /// Adds handlers to the pipeline of an open connection.
    ///
    /// - Parameters:
    ///   - channel: the connection; called on its event loop.
    ///   - position: position of the first handler; others follow it.
    ///   - host: host name or IP address as given; nil for a Unix socket.
    /// - Returns: a future that succeeds when data can be sent, and fails with a
    ///   ``ConnectFailure``.
    func secure(
        _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
        host: String?
    ) -> EventLoopFuture<Void>
}
