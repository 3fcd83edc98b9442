import DialectModel
import LineProtocol
import Scenario

/// One operator of a running scenario: its connection, what it has received and not yet expected, and
/// what it still has to send. It is shared by nobody but its session.
final class SimulatedOperator {
    /// The most probes whose answers are waited for or may still come late.
    static let fencesMax = 64

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
    var inbox = Inbox()
    /// Lines that waited for an expectation when twins began, kept for the steps after them.
    var setAside: [ReceivedLine] = []
    /// What has been passed over since the operator last sent or took a line.
    var passedOver = PassedOver()
    var barriers = BarrierQueue()
    /// Cuts what the scenario sends into lines, where probes have to know of them.
    var sent: LineFramer?
    /// What waits to be sent, with the pause before each.
    var outgoing: [(action: SessionAction, pause: Int64)] = []
    var outgoingNext = 0
    var outgoingTime: Int64 = 0
    /// Bytes kept back to leave together with what follows.
    var held: [UInt8] = []
    /// What twins compare: every line that is not ignored, while a round is on.
    var outcome = Inbox()

    init(name: String, framer: LineFramer) {
        self.name = name
        loginName = Array(name.utf8)
        self.framer = framer
    }

    /// Takes the first line that no step has taken.
    func takeLine() -> ReceivedLine? { inbox.takeFirst() }

    /// Whether more lines or bytes wait than may.
    func isFlooded(_ limits: SessionLimits) -> Bool {
        isFlooded(inbox, limits) || isFlooded(outcome, limits)
    }

    private func isFlooded(_ lines: borrowing Inbox, _ limits: SessionLimits) -> Bool {
        lines.count >= limits.inboxLinesMax || lines.byteCount >= limits.inboxBytesMax
    }

    /// Forgets whatever belonged to the connection before.
    func forgetConnection() {
        barriers = BarrierQueue()
        inbox.removeAll()
        setAside = []
        passedOver = PassedOver()
    }

    /// Puts the lines that waited before twins in front again.
    func restoreLines() {
        inbox = Inbox(setAside)
        setAside = []
        outcome.removeAll()
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

/// Lines in the order in which they came, with the sum of their bytes.
struct Inbox {
    private var lines: [ReceivedLine]
    /// The first line that was not taken.
    private var start = 0
    private(set) var byteCount = 0

    init(_ lines: [ReceivedLine] = []) {
        self.lines = lines
        byteCount = lines.reduce(0) { $0 + $1.byteCount }
    }

    var count: Int { lines.count - start }

    var unread: ArraySlice<ReceivedLine> { lines[start...] }

    mutating func append(_ line: ReceivedLine) {
        lines.append(line)
        byteCount += line.byteCount
    }

    mutating func takeFirst() -> ReceivedLine? {
        guard start < lines.count else { return nil }
        let line = lines[start]
        // Its bytes must not live on until the array is moved up.
        lines[start].bytes = []
        lines[start].payload = nil
        start += 1
        byteCount -= line.byteCount
        if start == lines.count || start > 1_024 {
            lines.removeFirst(start)
            start = 0
        }
        return line
    }

    mutating func removeFirst(_ count: Int) {
        for _ in 0..<count { _ = takeFirst() }
    }

    /// Forgets the lines that are not to be kept.
    mutating func keep(_ isKept: (ReceivedLine) -> Bool) {
        self = Inbox(unread.filter(isKept))
    }

    mutating func removeAll() { self = Inbox() }
}

/// Lines that came and that no step took.
struct PassedOver {
    var count = 0
    var last: ReceivedLine?

    mutating func add(_ line: ReceivedLine) {
        count += 1
        last = line
    }
}
