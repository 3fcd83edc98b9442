import LineProtocol

/// New framers for the streams of a dialect in which blocks depend on the other direction. A stream
/// keeps its framer while there are unanswered requests.
struct BlockFramers {
    private let client: LineFramer
    private let server: LineFramer

    /// Creates the framers; nil if no block depends on the other direction.
    init?(_ dialect: Dialect) {
        guard dialect.framing.hasConditionalBlocks else { return nil }
        client = LineFramer(dialect, direction: .fromClient)
        server = LineFramer(dialect, direction: .fromServer)
    }

    /// Notes a line of one direction in the framer of the other.
    func note(
        _ frame: Frame, _ bytes: Span<UInt8>, _ connection: CapturedConnection,
        _ direction: Direction, _ packet: PacketInfo
    ) {
        update(connection, direction.opposite, packet) { $0.noteOther(frame, in: bytes) }
    }

    /// Prepares the server's framer for the greeting.
    func expectGreeting(_ connection: CapturedConnection, _ packet: PacketInfo) {
        guard connection.startWasSeen else { return }
        update(connection, .fromServer, packet) { $0.noteConnected() }
    }

    private func update(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo,
        _ change: (inout LineFramer) -> Void
    ) {
        let half = connection.half(direction)
        if let box = half.framer {
            change(&box.framer)
            return
        }
        var framer = direction == .fromClient ? client : server
        change(&framer)
        if !framer.isAtRest { half.framer = FramerBox(framer, packet) }
    }
}
