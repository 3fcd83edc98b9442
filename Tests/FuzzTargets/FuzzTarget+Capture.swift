import Capture
import DialectModel
import LineProtocol
import Results
import Transcript

extension FuzzTarget {
    static func capture(_ bytes: [UInt8]) {
        guard let (line, rest) = firstLine(bytes) else { return }
        decode(Array(rest), line)
    }

    /// Makes a capture of one connection. Four bytes are a segment: the direction and the flags,
    /// the sequence number, the acknowledged number, and the length of the data, which follows.
    static func reassembler(_ bytes: [UInt8]) {
        guard let (line, segments) = firstLine(bytes) else { return }
        var capture = SegmentCapture()
        var rest = segments
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            let data = Array(rest.dropFirst(4).prefix(Int(head[3] & 0x3F)))
            rest = rest.dropFirst(4 + data.count)
            capture.add(head, data)
        }
        decode(capture.bytes, line)
    }

    private static func decode(_ bytes: [UInt8], _ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard let name = words.first, let bound = dialect(named: name) else { return }
        switch words.count > 1 ? String(decoding: words[1], as: UTF8.self) : "" {
        case "scenario":
            let decoder = run(bytes, TranscriptSink(bound.dialect), bound)
            let draft = try? ScenarioDraft(decoder.sink.conversation, dialect: bound)
            _ = draft?.text()
        case "latency":
            let decoder = run(bytes, ConversationLatencies(bound) { TimedCapture($0) }, bound)
            _ = (decoder.sink.receiver as? TimedCapture)?.results(
                toolVersion: "1", name: "fuzz", dialect: bound.dialect.name, decoder.counts)
        case "ladder":
            _ = run(bytes, LadderSink([bound], LogOptions()), bound).sink.ladder
        case "compare":
            let capture = run(bytes, ComparableSink(bound), bound).sink.capture
            let comparison = CaptureComparison(
                toolVersion: "1", dialect: bound.dialect.name, captures: [])
            var comparer = CaptureComparer(capture, capture, comparison)
            precondition(comparer.compared().differences.isEmpty)
        case "slice": slice(bytes, bound)
        default:
            let sink = JSONLinesWriter(CollectedText(), bound.dialect, showsSecrets: false)
            _ = run(bytes, sink, bound)
        }
    }

    /// Writes an anonymised slice, which must be a valid capture.
    private static func slice(_ bytes: [UInt8], _ bound: BoundDialect) {
        var slice: [UInt8] = []
        let collector = SliceCollector(.all, isGenerated: true) {
            slice += $0
            return true
        }
        let sink = SlicingSink(
            SilentSink(), [bound.dialect], collector, showsSecrets: false,
            Anonymiser(replacesNumbers: true))
        let first = run(bytes, sink, bound, slice: collector)
        collector.finish()
        guard !slice.isEmpty else { return }
        var second = CaptureDecoder(
            MemorySource(slice), SilentSink(), bound, ReassemblyOptions())
        do {
            try second.run()
        } catch {
            preconditionFailure("\(error)")
        }
        second.finish()
        precondition(second.counts.streams.connections <= first.counts.streams.connections)
    }

    private static func run<Sink: ConversationSink>(
        _ bytes: [UInt8], _ sink: Sink, _ bound: BoundDialect, slice: SliceCollector? = nil
    ) -> CaptureDecoder<Sink> {
        var options = ReassemblyOptions()
        options.keys = TLSKeys()
        var decoder = CaptureDecoder(MemorySource(bytes), sink, bound, options)
        decoder.slice = slice
        try? decoder.run()
        decoder.finish()
        return decoder
    }
}

/// A pcap file with IPv4 packets.
private struct SegmentCapture {
    private(set) var bytes: [UInt8] = []
    private var count: UInt32 = 0

    init() {
        // The magic number, version 2.4, and raw IPv4 packets (LINKTYPE_IPV4).
        append(0xA1B2_C3D4)
        append(UInt32(2) << 16 | 4)
        for value: UInt32 in [0, 0, 65_535, 228] { append(value) }
    }

    private mutating func append(_ value: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func add(_ head: [UInt8], _ data: [UInt8]) {
        count += 1
        let size = UInt32(40 + data.count)
        for value in [count, 0, size, size] { append(value) }
        let isClient = head[0] & 0x80 == 0
        let (client, server): (UInt32, UInt32) = (0x0A00_0001, 0x0A00_0002)
        append(0x4500_0000 | size)
        append(0)
        append(0x4006_0000)
        append(isClient ? client : server)
        append(isClient ? server : client)
        append(isClient ? 50_000 << 16 | 6_667 : 6_667 << 16 | 50_000)
        append(0xFFFF_FFE0 &+ UInt32(head[1]))
        append(0xFFFF_FFE0 &+ UInt32(head[2]))
        append(0x5000_0000 | UInt32(head[0] & 0x17) << 16 | 0xFFFF)
        append(0)
        bytes += data
    }
}
