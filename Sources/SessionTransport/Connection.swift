import Transport
import NIOCore
import Session

/// A connection of a running session, used on its event loop only.
final class Connection {
    enum Phase {
        /// Being established, including TLS.
        case connecting
        /// Open, or closed in one direction.
        case open
        /// Closed by us; received data is dropped.
        case draining
        case gone
    }

    let id: ConnectionID
    var phase = Phase.connecting
    /// The current channel; several may be tried before one connects.
    var channel: (any Channel)?
    /// Channels created for the connection that may still be connecting.
    var attempts: [any Channel] = []
    /// Data received before the session knows that the connection is established.
    var early: [ByteBuffer] = []
    /// True if the peer closed before that.
    var isClosedEarly = false
    /// True once the session knows that the peer has closed.
    var isClosedByPeer = false
    /// True if the peer reset the connection.
    var sawReset = false
    /// True if we have closed our direction.
    var isHalfClosed = false
    /// Ends the draining phase.
    var drainTimer: Scheduled<Void>?
    /// The time when `drainTimer` fires.
    var drainDeadline = NIODeadline.distantFuture

    init(_ id: ConnectionID) { self.id = id }
}
