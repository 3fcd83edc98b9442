package import DialectModel
import LineProtocol

/// Decodes a capture: packets to streams, streams to lines, and lines to messages.
///
/// ``next()`` decodes one packet and passes the resulting events to the sink before it returns.
package struct CaptureDecoder<Sink: ConversationSink> {
    private var reader: CaptureReader
    private var dissector = PacketDissector()
    private var reassembler: Reassembler<ConversationDecoder<Sink>>
    /// True if the capture is still growing, in which case output is flushed before waiting for
    /// more.
    package var isLive = false
    private var refusedPackets = 0
    private var last = PacketInfo(number: 0, time: CaptureRecord.timeUnknown)

    /// Creates a decoder for a capture with one dialect.
    package init(
        _ source: some CaptureSource, _ sink: Sink, _ dialect: BoundDialect,
        _ options: ReassemblyOptions
    ) {
        self.init(source, sink, DialectSet(dialect), options)
    }

    /// Creates a decoder for a capture with several dialects.
    package init(
        _ source: some CaptureSource, _ sink: Sink, _ dialects: DialectSet,
        _ options: ReassemblyOptions
    ) {
        reader = CaptureReader(source)
        var options = options
        if options.likelyPorts.isEmpty { options.likelyPorts = dialects.likelyPorts }
        reassembler = Reassembler(ConversationDecoder(sink, dialects), options)
    }

    /// The sink that receives the messages.
    package var sink: Sink {
        get { reassembler.consumer.emitter.sink }
        set { reassembler.consumer.emitter.sink = newValue }
    }

    /// The counts so far.
    package var counts: CaptureCounts {
        CaptureCounts(
            bytes: reader.bytesRead, restarts: reader.restarts,
            unreadPackets: reader.unreadPackets, refusedPackets: refusedPackets,
            packets: dissector.counts,
            streams: reassembler.counts, conversation: reassembler.consumer.emitter.counts,
            unknownLinkTypes: dissector.unknownLinkTypes)
    }

    /// Decodes the next packet. Returns false at the end of the capture, and throws at most once.
    @inline(__always)
    package mutating func next() throws(CaptureError) -> Bool {
        var next = try reader.nextBuffered()
        while next == nil {
            if isLive { reassembler.consumer.emitter.sink.pause() }
            guard try reader.readMore() else { return false }
            next = try reader.nextBuffered()
        }
        guard let record = next else { return false }
        if let packets = reassembler.options.packets {
            let range = record.start..<(record.start + record.count)
            guard packets.accepts(reader.window.span.extracting(range), record) else {
                refusedPackets += 1
                return true
            }
        }
        last = PacketInfo(number: record.number, time: record.time)
        Self.take(record, reader.window, &dissector, &reassembler)
        return true
    }

    @inline(__always)
    private static func take(
        _ record: CaptureRecord, _ window: [UInt8], _ dissector: inout PacketDissector,
        _ reassembler: inout Reassembler<ConversationDecoder<Sink>>
    ) {
        let packet = PacketInfo(number: record.number, time: record.time)
        switch dissector.dissect(window.span, record) {
        case .segment(let segment): reassembler.take(segment, window.span, packet)
        case .assembled(let segment):
            reassembler.take(segment, dissector.fragments.assembled.span, packet)
        case .nothing: break
        }
    }

    /// Decodes the rest of the capture, or until `isStopped`, which is called before each packet,
    /// returns true.
    package mutating func run(
        until isStopped: () -> Bool = { false }
    ) throws(CaptureError) {
        try Sink.decode(&self, until: isStopped)
    }

    /// Reports the end of open connections. Must be called once, even after an error.
    package mutating func finish() {
        dissector.fragments.finish(&dissector.counts.droppedFragments)
        reassembler.finish(last)
        reassembler.consumer.emitter.sink.finish()
    }
}

/// Counts of a decoded capture.
package struct CaptureCounts: Sendable, Equatable {
    /// Number of bytes of the capture, uncompressed.
    package var bytes: Int
    /// Number of times the capture was replaced by another one.
    package var restarts: Int
    /// Number of packets skipped because they are too large or refer to an unknown interface.
    package var unreadPackets: Int
    /// Number of packets rejected by the filter.
    package var refusedPackets: Int
    package var packets: PacketCounts
    package var streams: StreamCounts
    package var conversation: ConversationCounts
    /// Link types that are not supported.
    package var unknownLinkTypes: [LinkType]
}
