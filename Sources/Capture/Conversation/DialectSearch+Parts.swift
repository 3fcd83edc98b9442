package import DialectModel
import LineProtocol

/// Detection of the dialect from part of a capture: one port, or the first bytes of a connection.
extension DialectSearch {
    /// Maximum number of ports that are examined separately.
    package static let portsMax = 16
    /// Maximum number of bytes that are examined per segment.
    static let segmentBytesMax = 4_096

    /// Returns the server ports in the sample, ordered by their number of connections.
    package static func ports(
        _ sample: [UInt8], among dialects: [(name: String, dialect: BoundDialect)],
        _ options: ReassemblyOptions
    ) -> [UInt16] {
        guard let first = dialects.first else { return [] }
        var options = options
        options.likelyPorts = Set(
            dialects.compactMap { $0.dialect.dialect.port.flatMap(UInt16.init(exactly:)) })
        var decoder = CaptureDecoder(MemorySource(sample), PortSink(), first.dialect, options)
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            // The sample may end within a packet.
        }
        decoder.finish()
        let counts = decoder.sink.counts
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
            var candidate = candidate(bytes, direction, dialects[index])
            candidate.matchesPort = dialects[index].port == Int(port)
            guard candidate.lines > 0, candidate.score >= sharePercentMin,
                candidate.score > (best?.score ?? 0)
            else { continue }
            best = (index, candidate.score)
        }
        return best?.index
    }

    private static func candidate(
        _ bytes: Span<UInt8>, _ direction: Direction, _ dialect: Dialect
    ) -> Candidate {
        var found = Candidate(
            name: dialect.name, known: 0, lines: 0, knownBytes: 0, bytes: 0, matchesPort: false)
        var framer = LineFramer(dialect, direction: direction)
        framer.append(bytes.extracting(first: min(bytes.count, segmentBytesMax)))
        let decoder = MessageDecoder(dialect)
        let check = SchemaCheck(dialect)
        let acceptsAnyLine = dialect.acceptsAnyLine
        var message = Message()
        while let frame = framer.next() {
            decoder.decode(framer.buffer.span, frame, from: direction, into: &message)
            found.lines += 1
            found.bytes += frame.whole.count
            guard message.command != nil, !check.isBroken(frame, message),
                !(acceptsAnyLine && message.split.verb.isEmpty)
            else { continue }
            found.known += 1
            found.knownBytes += frame.whole.count
        }
        return found
    }
}

extension Dialect {
    /// True if the dialect accepts any line, because it has a command without a name. A match then
    /// proves nothing.
    var acceptsAnyLine: Bool { commands.signatures.contains { $0.wire == .none } }
}

/// A sink that counts the connections to each server port.
private struct PortSink: ConversationSink {
    var counts: [UInt16: Int] = [:]

    mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        counts[connection.server.port, default: 0] += 1
    }

    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {}
    mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {}
    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo) {}
    mutating func finish() {}
}
