package import LineProtocol

/// A sink for each dialect of a capture, which hears what is said in it.
package struct SinkPerDialect<Sink: ConversationSink>: ConversationSink {
    /// The sinks, by the places of their dialects.
    package private(set) var sinks: [Sink]
    private var current = 0

    /// Sinks by the places of their dialects, at least one.
    package init(_ sinks: [Sink]) { self.sinks = sinks }

    /// The lines that follow are of another dialect.
    package mutating func turn(to dialect: Int) { current = dialect }

    /// A line, decoded.
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        sinks[current].line(line, message, in: bytes)
    }

    /// A connection was seen for the first time.
    package mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        sinks[connection.dialect ?? current].opened(connection, packet)
    }

    /// Something else has happened.
    package mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        sinks[connection.dialect ?? current].note(note, connection, direction, packet)
    }

    /// A connection is over.
    package mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        sinks[connection.dialect ?? current].ended(connection, end, packet)
    }

    /// The capture is over.
    package mutating func finish() {
        for place in sinks.indices { sinks[place].finish() }
    }
}
