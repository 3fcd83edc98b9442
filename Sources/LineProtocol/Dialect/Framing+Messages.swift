/// The protocol in messages, such as those of WebSocket.
extension Framing {
    /// True if a message usually carries one line. If the dialect has payloads, blocks, telnet
    /// commands or frames of its own, messages carry a byte stream.
    package var fitsInMessages: Bool {
        unit == .line && payloads.isEmpty && blocks.isEmpty && !telnet
    }
}

extension Framing.Side {
    /// The terminators that end lines, with the one that the sender uses first.
    package var lineEnds: [Terminator] { [terminator] + accepted.filter { $0 != terminator } }
}
