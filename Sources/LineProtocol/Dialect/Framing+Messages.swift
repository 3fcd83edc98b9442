/// Framing over message-based transports such as WebSocket.
extension Framing {
    /// True if each message usually contains one line. False if messages contain a byte stream,
    /// because the dialect has payloads, blocks, telnet commands or its own frames.
    package var fitsInMessages: Bool {
        unit == .line && payloads.isEmpty && blocks.isEmpty && linePrompts.isEmpty && !telnet
    }
}

extension Framing.Side {
    /// The accepted line terminators, starting with the sender's.
    package var lineEnds: [Terminator] { [terminator] + accepted.filter { $0 != terminator } }
}
