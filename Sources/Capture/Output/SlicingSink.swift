package import LineProtocol

/// A sink that passes a conversation to another sink and to a slice, which gets a comment for each
/// line, or packets with anonymised lines.
package final class SlicingSink: ConversationSink {
    private(set) var sink: ErasedSink
    private let collector: SliceCollector
    /// Generator of anonymised packets; nil if the slice contains the packets of the capture.
    private let traffic: AnonymisedTraffic?
    /// Formatter for the comments. It writes nothing to its target.
    private var log: LogWriter

    /// - Precondition: `dialects` is not empty.
    /// - Parameter anonymiser: Anonymiser for the slice's lines; nil to copy packets unchanged.
    package init(
        _ sink: some ConversationSink, _ dialects: [Dialect], _ collector: SliceCollector,
        showsSecrets: Bool, _ anonymiser: Anonymiser? = nil
    ) {
        self.sink = ErasedSink(sink)
        self.collector = collector
        traffic = anonymiser.map { AnonymisedTraffic(dialects, $0, collector) }
        var options = LogOptions()
        options.showsSecrets = showsSecrets
        log = LogWriter(CollectedText(), dialects, options)
    }

    package func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        sink.line(line, message, in: bytes)
        if let traffic { return traffic.line(line, message, in: bytes) }
        // A slice reveals no more than its packets.
        guard !line.connection.isDecrypted else { return }
        log.buffer.removeAll()
        log.appendOrigin(line.connection, line.direction)
        log.appendText(line, message, in: bytes)
        collector.comment(Array(log.buffer.bytes.drop { $0 == ASCII.space }))
    }

    package func switchDialect(to dialect: Int) {
        sink.switchDialect(to: dialect)
        log.switchDialect(to: dialect)
        traffic?.dialect = dialect
    }

    package func started(at time: Int64) { sink.started(at: time) }

    package func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        sink.opened(connection, packet)
        traffic?.opened(connection, packet)
    }

    package func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        sink.note(note, connection, direction, packet)
        traffic?.note(note, connection, direction, packet)
    }

    package func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        sink.ended(connection, end, packet)
        traffic?.ended(connection, end, packet)
    }

    package func pause() { sink.pause() }
    package func finish() { sink.finish() }
}
