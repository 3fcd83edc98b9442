import LineProtocol

/// The first events of a connection, held until its dialect and the roles of its sides are known.
final class HeldConversation {
    /// Maximum number of events to hold.
    static let eventsMax = 64
    /// Maximum number of bytes to hold.
    static let bytesMax = 1 << 16
    /// Maximum number of bytes to hold per side.
    static let sideBytesMax = 4_096
    /// Minimum number of lines, from both sides together, for detecting the dialect.
    static let linesMin = 8

    /// An event that was held.
    enum Event {
        case opened
        /// A range of ``bytes``.
        case bytes(Direction, Range<Int>)
        case gap(Direction, StreamGap)
        case conflict(Direction, StreamConflict)
        case halfClosed(Direction)
        case ended(ConnectionEnd)
    }

    /// The first bytes that one side sent.
    struct Side {
        var bytes: [UInt8] = []
        /// Number of complete lines in ``bytes``.
        var lines = 0

        var isFull: Bool { bytes.count >= HeldConversation.sideBytesMax }
    }

    private(set) var events: [(event: Event, packet: PacketInfo)] = []
    private(set) var bytes: [UInt8] = []
    private(set) var client = Side()
    private(set) var server = Side()
    /// True if the content has to be examined to find out which side is the server.
    var hasUncertainRoles: Bool
    /// True if the sides must be swapped before the events are processed.
    var isSwapped = false

    /// True if the events come from a decrypted TLS connection.
    let isDecrypted: Bool

    init(hasUncertainRoles: Bool, isDecrypted: Bool = false) {
        self.hasUncertainRoles = hasUncertainRoles
        self.isDecrypted = isDecrypted
    }

    /// True if no more events can be held.
    var isFull: Bool {
        client.isFull || server.isFull || events.count >= Self.eventsMax
            || bytes.count >= Self.bytesMax
    }

    /// True if both sides have sent enough lines to detect the dialect.
    var hasEnoughLines: Bool {
        client.lines > 0 && server.lines > 0 && client.lines + server.lines >= Self.linesMin
    }

    func append(_ event: Event, _ packet: PacketInfo) { events.append((event, packet)) }

    /// Holds bytes of a stream. Returns whether they complete a line.
    ///
    /// - Parameter headerBytes: Number of bytes of a PROXY header, which precede the first line.
    func append(
        _ piece: Span<UInt8>, _ direction: Direction, _ packet: PacketInfo, headerBytes: Int = 0
    ) -> Bool {
        let start = bytes.count
        bytes += piece.array(0..<piece.count)
        append(.bytes(direction, start..<bytes.count), packet)
        let copy = piece.array(headerBytes..<piece.count)
        let lines = copy.count { $0 == ASCII.lf }
        if direction == .fromClient {
            client.bytes += copy
            client.lines += lines
        } else {
            server.bytes += copy
            server.lines += lines
        }
        return lines > 0
    }

    /// Swaps the sides of all events.
    func swapSides() {
        swap(&client, &server)
        for index in events.indices {
            switch events[index].event {
            case .bytes(let direction, let range):
                events[index].event = .bytes(direction.opposite, range)
            case .gap(let direction, let gap): events[index].event = .gap(direction.opposite, gap)
            case .conflict(let direction, let conflict):
                events[index].event = .conflict(direction.opposite, conflict)
            case .halfClosed(let direction):
                events[index].event = .halfClosed(direction.opposite)
            case .opened, .ended: break
            }
        }
    }
}
