import Transport
import NIOCore
import Session

/// A connection of a running session. It is used only on the connection's event loop.
final class Connection {
    /// The phase of a connection's life.
    enum Phase {
        /// The connection is being established, including TLS.
        case connecting
        /// The connection is open, possibly in one direction only.
        case open
        /// Linejudge has closed the connection. Received data is discarded.
        case draining
        case gone
    }

    let id: ConnectionID
    var phase = Phase.connecting
    /// The channel in use; nil until a channel has connected. Several may be tried before one of
    /// them connects.
    var channel: (any Channel)?
    /// Channels created for this connection, some of which may still be trying to connect.
    var attempts: [any Channel] = []
    /// Data received before the session was notified that the connection is established.
    var early: [ByteBuffer] = []
    /// True if the peer closed the connection before the session was notified that it is
    /// established.
    var isClosedEarly = false
    /// True once the session has been notified that the peer has closed the connection.
    var isClosedByPeer = false
    /// True if the peer reset the connection.
    var sawReset = false
    /// True if Linejudge has closed the sending direction.
    var isHalfClosed = false
    /// True once the session has started TLS.
    var isSecure = false
    /// The timer that ends the draining phase; nil if the connection is not draining.
    var drainTimer: Scheduled<Void>?
    /// The time when `drainTimer` fires.
    var drainDeadline = NIODeadline.distantFuture

    init(_ id: ConnectionID) { self.id = id }
}
