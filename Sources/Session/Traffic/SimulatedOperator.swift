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
    var inbox = Inbox()
    /// The lines that were waiting when a comparison started. They are kept for the steps after the
    /// comparison.
    var setAside: [ReceivedLine] = []
    /// Number of lines skipped since the operator last consumed a line, and the last of them.
    var skippedLines = SkippedLines()
    var barriers = BarrierQueue()
    /// Framer for the bytes that the operator sends; nil until sent lines have to be counted to
    /// match answers to probes, or noted because blocks in answers depend on them.
    var sent: LineFramer?
    var outgoing = OutgoingQueue()
    /// Bytes held back so that they are sent together with the bytes after them.
    var held: [UInt8] = []
    /// The lines that a comparison compares: all lines received in the current round, except
    /// ignored ones.
    var outcome = Inbox()

    init(name: String, framer: LineFramer) {
        self.name = name
        self.framer = framer
    }

    /// Removes and returns the first unconsumed line; nil if there is none.
    func takeLine() -> ReceivedLine? { inbox.takeFirst() }

    /// Returns true if the unconsumed lines exceed the limits.
    func isFlooded(_ limits: SessionLimits) -> Bool {
        isFlooded(inbox, limits) || isFlooded(outcome, limits)
    }

    private func isFlooded(_ lines: borrowing Inbox, _ limits: SessionLimits) -> Bool {
        lines.count >= limits.inboxLinesMax || lines.byteCount >= limits.inboxBytesMax
    }

    /// Discards all state of the previous connection.
    func forgetConnection() {
        closeReason = nil
        handshake = .none
        barriers = BarrierQueue()
        inbox.removeAll()
        setAside = []
        skippedLines = SkippedLines()
    }

    /// Ends a comparison: replaces the inbox with the lines that were waiting when the comparison
    /// started. Lines received during the comparison are dropped.
    func restoreLines() {
        inbox = Inbox(setAside)
        setAside = []
        outcome.removeAll()
    }

    /// True if more lines can arrive.
    var canReceive: Bool {
        switch connection {
        case .open, .connecting: true
        case .none, .closed, .closedByPeer: false
        }
    }
}

/// A queue of received lines that tracks their total size.
struct Inbox {
    private var lines: [ReceivedLine]
    /// Index of the first unconsumed line.
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
        // Release the line's bytes now rather than when the array is compacted.
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

    /// Removes all lines except those accepted by `isKept`.
    mutating func keep(_ isKept: (ReceivedLine) -> Bool) {
        self = Inbox(unread.filter(isKept))
    }

    mutating func removeAll() { self = Inbox() }
}

/// The number of received lines that no step consumed, and the last of these lines.
struct SkippedLines {
    var count = 0
    var last: ReceivedLine?

    mutating func add(_ line: ReceivedLine) {
        count += 1
        last = line
    }
}
