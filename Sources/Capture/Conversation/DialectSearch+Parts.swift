package import DialectModel
import LineProtocol

/// Detects the dialect of part of a capture: of one port, or of one connection from its first
/// bytes.
extension DialectSearch {
    /// Maximum number of ports whose dialects are detected separately.
    package static let portsMax = 16
    /// Maximum number of bytes to examine per segment.
    static let segmentBytesMax = 4_096

    /// Returns the server ports in the sample, ordered by their number of connections.
    package static func ports(
        _ sample: [UInt8], among dialects: [(name: String, dialect: BoundDialect)],
        _ options: ReassemblyOptions
    ) -> [UInt16] {
        guard !dialects.isEmpty else { return [] }
        var set = DialectSet(dialects.map(\.dialect))
        set.candidates = Array(set.dialects.indices)
        var decoder = CaptureDecoder(MemorySource(sample), ErasedSink(PortSink()), set, options)
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            // The sample may end in the middle of a packet.
        }
        decoder.finish()
        let counts = decoder.sink.unwrapped(as: PortSink.self)?.counts ?? [:]
        return counts.keys.sorted { (-counts[$0, default: 0], $0) < (-counts[$1, default: 0], $1) }
            .prefix(portsMax).map(\.self)
    }

    /// Returns the index of the dialect that best matches the first bytes in one direction of a
    /// connection; nil if none matches.
    static func best(
        _ bytes: Span<UInt8>, _ direction: Direction, among indices: [Int], of dialects: [Dialect],
        port: UInt16
    ) -> Int? {
        var best: (index: Int, score: Int)?
        for index in indices {
            let candidate = Candidate(
                name: dialects[index].name, fit: fit(bytes, direction, dialects[index]),
                matchesPort: dialects[index].port == Int(port))
            guard candidate.score > (best?.score ?? 0) else { continue }
            best = (index, candidate.score)
        }
        return best?.index
    }

    /// Decodes the first bytes in one direction of a connection, and counts the lines that are
    /// valid in the dialect.
    static func fit(
        _ bytes: Span<UInt8>, _ direction: Direction, _ dialect: Dialect
    ) -> DialectFit {
        var found = DialectFit(dialect)
        var framer = LineFramer(dialect, direction: direction)
        framer.append(bytes.extracting(first: min(bytes.count, segmentBytesMax)))
        let decoder = MessageDecoder(dialect)
        let check = SchemaCheck(dialect)
        var message = Message()
        while let frame = framer.next() {
            let bytes = framer.buffer.span
            decoder.decode(bytes, frame, from: direction, into: &message)
            found.count(
                message, isBroken: check.isBroken(frame, message), from: direction, in: bytes)
        }
        return found
    }
}

/// A sink that counts connections per server port.
private struct PortSink: ConversationSink {
    var counts: [UInt16: Int] = [:]

    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        counts[connection.server.port, default: 0] += 1
    }

    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {}
}
