import Transport
import NIOCore
import Session

/// One connection of a play, as its event loop sees it.
final class Connection {
    enum Phase {
        /// Being made, TLS included.
        case connecting
        /// Open; the peer, or we, may have ended one direction.
        case open
        /// We have closed; what still arrives is dropped.
        case draining
        /// There is nothing left of it.
        case gone
    }

    let id: ConnectionID
    var phase = Phase.connecting
    /// The channel; several may be tried before one connects.
    var channel: (any Channel)?
    /// The channels that were made for it and may still be connecting.
    var attempts: [any Channel] = []
    /// What arrived before the session could be told that the connection stands.
    var early: [ByteBuffer] = []
    /// Whether the peer closed before that.
    var isClosedEarly = false
    /// Whether the session knows that the peer has closed.
    var isClosedByPeer = false
    /// Whether the peer's close was a reset.
    var sawReset = false
    /// Whether we have ended our direction.
    var isHalfClosed = false
    /// What ends the draining.
    var drainTimer: Scheduled<Void>?
    /// When it does.
    var drainDeadline = NIODeadline.distantFuture

    init(_ id: ConnectionID) { self.id = id }
}
