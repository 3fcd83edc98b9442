public import NIOCore

/// A provider of TLS for connections. The implementation is in `TransportTLS`.
///
/// It is a protocol so that programs without TLS need not build that module.
public protocol ConnectionSecurity: Sendable {
    /// Adds handlers to the pipeline of an open connection.
    ///
    /// - Parameters:
    ///   - channel: the connection. The method is called on the connection's event loop.
    ///   - position: the position of the first handler. The other handlers follow it.
    ///   - host: the host name or IP address as the user gave it; nil for a Unix socket.
    /// - Returns: a future that succeeds when data can be sent. If the connection cannot be
    ///   secured, the future fails with a ``ConnectFailure``.
    func secure(
        _ channel: any Channel, at position: ChannelPipeline.SynchronousOperations.Position,
        host: String?
    ) -> EventLoopFuture<Void>
}
