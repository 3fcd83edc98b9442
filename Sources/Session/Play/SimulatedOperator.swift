import LineProtocol
import Scenario

/// One operator of a running scenario: its connection, what it has received and not yet expected, and
/// what it still has to send. It is shared by nobody but its session.
final class SimulatedOperator {
    /// The most lines that may wait for an expectation.
    static let inboxMax = 100_000

    enum Connection: Equatable {
        case none
        case connecting(since: Int64)
        case open
        /// The peer has closed its direction.
        case closedByPeer(ClosingManner)
        /// We have closed.
        case closed
    }

    let name: String
    /// The name under which it has logged in.
    var loginName: [UInt8]
    var generation = 0
    var connection = Connection.none
    /// Whether we have ended our direction.
    var isHalfClosed = false
    var framer: LineFramer
    var inbox: [ReceivedLine] = []
    /// The first line in the inbox that no step has taken.
    var inboxStart = 0
    var fences: [Fence] = []
    /// What waits to be sent, with the pause before each.
    var outgoing: [(action: SessionAction, pause: Int64)] = []
    var outgoingNext = 0
    var outgoingTime: Int64 = 0
    /// Bytes kept back to leave together with what follows.
    var held: [UInt8] = []
    /// What twins compare: every line that is not ignored, while a round is on.
    var outcome: [ReceivedLine] = []

    init(name: String, framer: LineFramer) {
        self.name = name
        loginName = Array(name.utf8)
        self.framer = framer
    }

    var unread: ArraySlice<ReceivedLine> { inbox[inboxStart...] }

    var hasUnread: Bool { inboxStart < inbox.count }

    /// Takes the first line that no step has taken.
    func takeLine() -> ReceivedLine? {
        guard hasUnread else { return nil }
        let line = inbox[inboxStart]
        inboxStart += 1
        if inboxStart == inbox.count || inboxStart > 1_024 {
            inbox.removeFirst(inboxStart)
            inboxStart = 0
        }
        return line
    }

    func dropLines(_ count: Int) {
        for _ in 0..<count { _ = takeLine() }
    }

    /// Forgets the lines that no step has taken and that are not to be kept.
    func keepLines(_ isKept: (ReceivedLine) -> Bool) {
        inbox = unread.filter(isKept)
        inboxStart = 0
    }

    func forgetLines() {
        inbox.removeAll()
        inboxStart = 0
    }

    var hasOutgoing: Bool { outgoingNext < outgoing.count }

    /// Whether a line can still arrive.
    var canReceive: Bool {
        switch connection {
        case .open, .connecting: true
        case .none, .closed, .closedByPeer: false
        }
    }
}

/// A probe under way: what is received before its answer belongs to what was sent before it.
struct Fence {
    var id: Int
    var token: [UInt8]
    /// The next of the probe's answers.
    var next = 0
}
