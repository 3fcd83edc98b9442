package import DialectModel
import LineProtocol

/// A decoder that turns a capture's packets into streams, streams into lines, and lines into
/// messages.
///
/// ``next()`` decodes one packet, and passes the resulting events to the sink before it returns.
package struct CaptureDecoder<Sink: ConversationSink>: ~Copyable {
    private var input: PacketInput
    private var dissector = PacketDissector()
    private var reassembler: Reassembler<ConversationDecoder<Sink>>
    /// True if packets are still being added to the capture. The sink is then flushed before the
    /// decoder waits for more packets.
    package var isLive = false
    /// Collector that writes the packets of selected connections; nil if there is no slice.
    package var slice: SliceCollector?
    private var lookahead = PacketLookahead()
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
        self.init(PacketInput(source), sink, dialects, options)
    }

    /// Creates a decoder for the packets of one or more captures.
    package init(
        _ input: PacketInput, _ sink: Sink, _ dialects: DialectSet, _ options: ReassemblyOptions
    ) {
        self.input = input
        self.input.keys = options.keys
        var options = options
        options.serverPorts.formUnion(dialects.ports.keys)
        if options.likelyPorts.isEmpty { options.likelyPorts = dialects.likelyPorts }
        reassembler = Reassembler(ConversationDecoder(sink, dialects, options.keys), options)
    }

    /// The sink that receives the messages.
    package var sink: Sink {
        get { reassembler.consumer.emitter.sink }
        set { reassembler.consumer.emitter.sink = newValue }
    }

    /// Index of the dialect for each server port whose dialect was given or has been detected.
    package var ports: [UInt16: Int] { reassembler.consumer.detectedPorts }

    /// Counts of the packets, streams and lines decoded so far.
    package var counts: CaptureCounts {
        CaptureCounts(
            bytes: input.bytesRead, restarts: input.restarts,
            unreadPackets: input.unreadPackets, damagedPackets: input.damagedPackets,
            refusedPackets: refusedPackets,
            packets: dissector.counts,
            streams: reassembler.counts, conversation: reassembler.consumer.emitter.counts,
            unknownLinkTypes: dissector.unknownLinkTypes)
    }

    /// Errors that kept one of several captures from being read to the end, with its index.
    package var failures: [(file: Int, error: CaptureError)] { input.failures }

    /// Decodes the next packet. Returns false at the end of the capture. Throws if the rest of the
    /// capture cannot be read.
    @inline(__always)
    package mutating func next() throws(CaptureError) -> Bool {
        var next = try input.nextBuffered()
        while next == nil {
            if isLive { pause() }
            guard try input.readMore() else { return false }
            next = try input.nextBuffered()
        }
        guard let record = next else { return false }
        let guess = lookahead.advance(input, reassembler.table)
        if let packets = reassembler.options.packets {
            let range = record.start..<(record.start + record.count)
            guard packets.accepts(input.window.span.extracting(range), record) else {
                refusedPackets += 1
                return true
            }
        }
        if last.number == 0, record.time != CaptureRecord.timeUnknown {
            reassembler.consumer.emitter.sink.started(at: record.time)
        }
        last = PacketInfo(record)
        if slice != nil {
            takeForSlice(record)
        } else {
            Self.take(record, input.window, &dissector, &reassembler, guess)
        }
        return true
    }

    @inline(never)
    private mutating func pause() {
        reassembler.consumer.emitter.sink.pause()
        slice?.flush()
    }

    @inline(never)
    private mutating func takeForSlice(_ record: CaptureRecord) {
        slice?.take(
            record, input.window, input.interface(of: record), &dissector, &reassembler)
    }

    @_optimize(speed)
    @inline(__always)
    private static func take(
        _ record: CaptureRecord, _ window: [UInt8], _ dissector: inout PacketDissector,
        _ reassembler: inout Reassembler<ConversationDecoder<Sink>>, _ guess: UInt32
    ) {
        let packet = PacketInfo(record)
        switch dissector.dissect(window.span, record) {
        case .segment(let segment): reassembler.take(segment, window.span, packet, guess: guess)
        case .assembled(let segment):
            reassembler.take(segment, dissector.fragments.assembled.span, packet)
        case .nothing: break
        }
    }

    /// Decodes packets until the end of the capture, or until `isStopped` returns true. `isStopped`
    /// is called before each packet.
    package mutating func run(
        until isStopped: () -> Bool = { false }
    ) throws(CaptureError) {
        while !isStopped(), try next() {}
    }

    /// Reports the end of all open connections, and of the capture. Must be called once, even after
    /// an error.
    package mutating func finish() {
        dissector.fragments.finish(&dissector.counts.droppedFragments)
        reassembler.finish(last)
        reassembler.consumer.emitter.sink.finish()
        slice?.finish()
    }
}

extension CaptureDecoder where Sink: SpecialisedSink {
    /// Decodes packets until the end of the capture, or until `isStopped` returns true, with the
    /// decoder that is specialised for the sink.
    package mutating func run(
        until isStopped: () -> Bool = { false }
    ) throws(CaptureError) {
        try Sink.decode(&self, until: isStopped)
    }
}

/// Counts of the packets, streams and lines in a capture, including packets that could not be
/// decoded.
package struct CaptureCounts: Sendable, Equatable {
    /// Uncompressed size of the capture, in bytes.
    package var bytes: Int
    /// Number of times the capture file was replaced by another file.
    package var restarts: Int
    /// Number of packets that were skipped because they were too large.
    package var unreadPackets: Int
    /// Number of packets that were skipped because they referred to an unknown interface.
    package var damagedPackets: Int
    /// Number of packets rejected by the filter.
    package var refusedPackets: Int
    package var packets: PacketCounts
    package var streams: StreamCounts
    package var conversation: ConversationCounts
    /// Unsupported link types that occur in the capture.
    package var unknownLinkTypes: [LinkType]
}
