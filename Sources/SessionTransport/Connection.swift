import Transport
import NIOCore
import Session

/// A connection of a running session. It is used only on its event loop.
final class Connection {
    enum Phase {
        /// The connection is being established, including TLS.
        case connecting
        /// The connection is open, or closed in one direction only.
        case open
        /// Linejudge has closed the connection; received data is discarded.
        case draining
        case gone
    }

    let id: ConnectionID
    var phase = Phase.connecting
    /// The current channel. Several may be tried before one connects.
    var channel: (any Channel)?
    /// Channels that were created for the connection and may still be connecting.
    var attempts: [any Channel] = []
    /// Data received before the session knows that the connection is established.
    var early: [ByteBuffer] = []
    /// True if the peer closed before the session knew that the connection was established.
    var isClosedEarly = false
    /// True once the session knows that the peer has closed.
    var isClosedByPeer = false
    /// True if the peer reset the connection.
    var sawReset = false
    /// True if Linejudge has closed its sending direction.
    var isHalfClosed = false
    /// The timer that ends the draining phase.
    var drainTimer: Scheduled<Void>?
    /// The time at which `drainTimer` fires.
    var drainDeadline = NIODeadline.distantFuture

    init(_ id: ConnectionID) { self.id = id }
}
