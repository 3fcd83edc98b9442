package import DialectModel
import LineProtocol

/// Guessing by a part of a capture: by one port, or by what was said first on one connection.
extension DialectSearch {
    /// The most ports of which each is looked at by itself.
    package static let portsMax = 16
    /// Of one segment, so many bytes are looked at.
    static let segmentBytesMax = 4_096

    /// The ports of servers in the sample, those with the most connections first.
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
            // The sample may end in a packet.
        }
        decoder.finish()
        let counts = decoder.sink.counts
        return counts.keys.sorted { (-counts[$0, default: 0], $0) < (-counts[$1, default: 0], $1) }
            .prefix(portsMax).map(\.self)
    }

    /// The place of the dialect of `places` that the first bytes of a connection's side look like; nil if
    /// none fits.
    static func best(
        _ bytes: Span<UInt8>, _ direction: Direction, among places: [Int], of dialects: [Dialect],
        port: UInt16
    ) -> Int? {
        var best: (place: Int, score: Int)?
        for place in places {
            var candidate = candidate(bytes, direction, dialects[place])
            candidate.fitsPort = dialects[place].port == Int(port)
            guard candidate.lines > 0, candidate.score >= sharePercentMin,
                candidate.score > (best?.score ?? 0)
            else { continue }
            best = (place, candidate.score)
        }
        return best?.place
    }

    private static func candidate(
        _ bytes: Span<UInt8>, _ direction: Direction, _ dialect: Dialect
    ) -> Candidate {
        var found = Candidate(
            name: dialect.name, known: 0, lines: 0, knownBytes: 0, bytes: 0, fitsPort: false)
        var framer = LineFramer(dialect, direction: direction)
        framer.append(bytes.extracting(first: min(bytes.count, segmentBytesMax)))
        let decoder = MessageDecoder(dialect)
        let check = SchemaCheck(dialect)
        let knowsEverything = dialect.knowsEverything
        var message = Message()
        while let frame = framer.next() {
            decoder.decode(framer.buffer.span, frame, from: direction, into: &message)
            found.lines += 1
            found.bytes += frame.whole.count
            guard message.command != nil, !check.isBroken(frame, message),
                !(knowsEverything && message.split.verb.isEmpty)
            else { continue }
            found.known += 1
            found.knownBytes += frame.whole.count
        }
        return found
    }
}

extension Dialect {
    /// A dialect without commands by name knows every line, which says nothing.
    var knowsEverything: Bool { commands.signatures.contains { $0.wire == .none } }
}

/// Counts the connections of each server's port.
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
