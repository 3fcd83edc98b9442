import LineProtocol

/// Framers for dialects in which the blocks that one side sends depend on the other side's
/// requests. A stream has its own framer while requests are unanswered.
struct BlockFramers {
    private let client: LineFramer
    private let server: LineFramer

    /// Creates the framers; nil if no block depends on the other direction.
    init?(_ dialect: Dialect) {
        guard dialect.framing.hasConditionalBlocks else { return nil }
        client = LineFramer(dialect, direction: .fromClient)
        server = LineFramer(dialect, direction: .fromServer)
    }

    /// Passes a line to the framer of the opposite direction.
    func note(
        _ frame: Frame, _ bytes: Span<UInt8>, _ connection: CapturedConnection,
        _ direction: Direction, _ packet: PacketInfo
    ) {
        update(connection, direction.opposite, packet) { $0.recordFromOtherSide(frame, in: bytes) }
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
