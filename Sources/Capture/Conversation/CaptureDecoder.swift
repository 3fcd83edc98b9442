package import DialectModel
import LineProtocol

/// Decodes a whole capture: packets to streams, streams to lines, lines to messages.
///
/// ``next()`` takes one packet; what it brings is told to the sink before it returns.
package struct CaptureDecoder<Sink: ConversationSink> {
    private var reader: CaptureReader
    private var dissector = PacketDissector()
    private var reassembler: Reassembler<ConversationDecoder<Sink>>
    /// Whether the capture still grows, so that what is known is shown before more is waited for.
    package var isLive = false
    private var refusedPackets = 0
    private var last = PacketInfo(number: 0, time: CaptureRecord.timeUnknown)

    /// A decoder of the capture that `source` gives.
    package init(
        _ source: some CaptureSource, _ sink: Sink, _ dialect: BoundDialect,
        _ options: ReassemblyOptions
    ) {
        self.init(source, sink, DialectSet(dialect), options)
    }

    /// A decoder of a capture in which several dialects are spoken.
    package init(
        _ source: some CaptureSource, _ sink: Sink, _ dialects: DialectSet,
        _ options: ReassemblyOptions
    ) {
        reader = CaptureReader(source)
        var options = options
        if options.likelyPorts.isEmpty { options.likelyPorts = dialects.likelyPorts }
        reassembler = Reassembler(ConversationDecoder(sink, dialects), options)
    }

    /// What the messages went to.
    package var sink: Sink {
        get { reassembler.consumer.teller.sink }
        set { reassembler.consumer.teller.sink = newValue }
    }

    /// What has been read so far.
    package var counts: CaptureCounts {
        CaptureCounts(
            bytes: reader.bytesRead, restarts: reader.restarts,
            unreadPackets: reader.unreadPackets, refusedPackets: refusedPackets,
            packets: dissector.counts,
            streams: reassembler.counts, conversation: reassembler.consumer.teller.counts,
            unknownLinkTypes: dissector.unknownLinkTypes)
    }

    /// Takes the next packet; returns false at the end of the capture. Throws once, where the capture cannot
    /// be read on.
    @inline(__always)
    package mutating func next() throws(CaptureError) -> Bool {
        var next = try reader.nextAtHand()
        while next == nil {
            if isLive { reassembler.consumer.teller.sink.pause() }
            guard try reader.readOn() else { return false }
            next = try reader.nextAtHand()
        }
        guard let record = next else { return false }
        if let packets = reassembler.options.packets {
            let place = record.start..<(record.start + record.count)
            guard packets.accepts(reader.window.span.extracting(place), record) else {
                refusedPackets += 1
                return true
            }
        }
        last = PacketInfo(number: record.number, time: record.time)
        Self.take(record, reader.window, &dissector, &reassembler)
        return true
    }

    /// Takes the packet that `record` tells of.
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

    /// Decodes everything that is left, or until `isStopped` says so, which is asked before each packet.
    package mutating func run(
        until isStopped: () -> Bool = { false }
    ) throws(CaptureError) {
        try Sink.decode(&self, until: isStopped)
    }

    /// Tells the end of what is still open. To be called once, also after an error.
    package mutating func finish() {
        dissector.fragments.finish(&dissector.counts.droppedFragments)
        reassembler.finish(last)
        reassembler.consumer.teller.sink.finish()
    }
}

/// What a capture came to.
package struct CaptureCounts: Sendable, Equatable {
    /// Bytes of the capture, uncompressed.
    package var bytes: Int
    /// How often another capture took the place of the one that was read.
    package var restarts: Int
    /// Packets that were passed over, because they are too large or name no known interface.
    package var unreadPackets: Int
    /// Packets that the filter refused.
    package var refusedPackets: Int
    /// What became of the packets.
    package var packets: PacketCounts
    /// What became of the streams.
    package var streams: StreamCounts
    /// What became of the lines.
    package var conversation: ConversationCounts
    /// Link types that are not read.
    package var unknownLinkTypes: [LinkType]
}
