import DialectModel
import LineProtocol
import Scenario

/// An operator in a running scenario: its connection, unconsumed lines and queued output. It is
/// used only by its session.
final class SimulatedOperator {
    static let pendingProbesMax = 64

    /// The state of the operator's connection.
    enum Connection: Equatable {
        case none
        case connecting(since: Int64)
        case open
        /// The peer has closed its sending direction.
        case closedByPeer(ClosingManner)
        /// Linejudge has closed the connection.
        case closed
    }

    /// The state of the TLS handshake that a step started.
    enum Handshake: Equatable {
        case none, running, complete
        case failed(reason: String, isServersFault: Bool)
    }

    let name: String
    /// The peer's explanation of why it closed the connection; nil if it gave none.
    var closeReason: String?
    var generation = 0
    var connection = Connection.none
    /// True if the sending direction is closed.
    var isHalfClosed = false
    var handshake = Handshake.none
    var framer: LineFramer
    var lines = ReceivedLines()
    var barriers = BarrierQueue()
    /// Framer for the bytes that the operator sends; nil until sent lines have to be counted to
    /// match answers to probes, or noted because blocks in answers depend on them.
    var sent: LineFramer?
    var outgoing = OutgoingQueue()
    /// Bytes held back so that they are sent together with the bytes after them.
    var held: [UInt8] = []

    init(name: String, framer: LineFramer) {
        self.name = name
        self.framer = framer
    }

    /// Discards all state of the previous connection.
    func forgetConnection() {
        closeReason = nil
        handshake = .none
        barriers = BarrierQueue()
        lines.removeAll()
    }

    /// True if more lines can arrive.
    var canReceive: Bool {
        switch connection {
        case .open, .connecting: true
        case .none, .closed, .closedByPeer: false
        }
    }
}
