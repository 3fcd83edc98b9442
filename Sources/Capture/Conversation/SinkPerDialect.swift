package import LineProtocol

/// A sink that forwards the events of each dialect to a separate sink.
package struct SinkPerDialect<Sink: ConversationSink>: ConversationSink {
    /// The sinks, one per dialect, by dialect index.
    package private(set) var sinks: [Sink]
    private var current = 0

    /// - Precondition: `sinks` is not empty.
    package init(_ sinks: [Sink]) { self.sinks = sinks }

    package mutating func started(at time: Int64) {
        for index in sinks.indices { sinks[index].started(at: time) }
    }

    package mutating func switchDialect(to dialect: Int) { current = dialect }

    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        sinks[current].line(line, message, in: bytes)
    }

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        sinks[connection.dialect ?? current].opened(connection, packet)
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        sinks[connection.dialect ?? current].note(note, connection, direction, packet)
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        sinks[connection.dialect ?? current].ended(connection, end, packet)
    }

    package mutating func finish() {
        for index in sinks.indices { sinks[index].finish() }
    }
}
