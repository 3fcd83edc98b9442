package import DialectModel
import LineProtocol

/// Finds out which dialect a capture speaks, by trying each on its first lines.
package struct DialectSearch: Sendable {
    /// So much of a capture is looked at.
    package static let sampleBytesMax = 1 << 20
    /// At least so many of a hundred bytes must be of known commands.
    static let sharePercentMin = 60

    /// A dialect and how well it fits.
    package struct Candidate: Sendable {
        /// The name under which it was given.
        package var name: String
        /// Lines that it knows and finds nothing wrong with.
        package var known: Int
        /// All lines that it finds.
        package var lines: Int
        /// Bytes of the known lines.
        var knownBytes: Int
        /// Bytes of all lines.
        var bytes: Int
        /// Whether servers of the dialect listen where these do.
        var fitsPort: Bool

        /// How many of a hundred bytes it knows; a port that fits counts a little.
        var score: Int { bytes == 0 ? 0 : knownBytes * 100 / bytes + (fitsPort ? 5 : 0) }
    }

    /// The best dialect for the capture that starts with `sample`; nil if none fits.
    ///
    /// - Parameter dialects: by the name to be told; one that knows every line comes last and is only taken
    ///   if no other fits.
    package static func best(
        _ sample: [UInt8], among dialects: [(name: String, dialect: BoundDialect)],
        _ options: ReassemblyOptions
    ) -> Candidate? {
        var best: Candidate?
        for (name, dialect) in dialects {
            let candidate = candidate(sample, name, dialect, options)
            guard candidate.lines > 0, candidate.score >= sharePercentMin else { continue }
            if candidate.score > (best?.score ?? 0) { best = candidate }
        }
        return best
    }

    private static func candidate(
        _ sample: [UInt8], _ name: String, _ dialect: BoundDialect, _ options: ReassemblyOptions
    ) -> Candidate {
        var decoder = CaptureDecoder(
            MemorySource(sample), GuessSink(dialect.dialect), dialect, options)
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            // The sample may end in a packet; what could be read is enough.
        }
        decoder.finish()
        let sink = decoder.sink
        return Candidate(
            name: name, known: sink.known, lines: sink.lines, knownBytes: sink.knownBytes,
            bytes: sink.bytes, fitsPort: sink.fitsPort)
    }
}

/// Counts what a dialect knows of a capture.
private struct GuessSink: ConversationSink {
    var known = 0
    var lines = 0
    var knownBytes = 0
    var bytes = 0
    var fitsPort = false
    private let port: Int?
    /// A dialect without commands by name knows every line, which says nothing.
    private let knowsEverything: Bool

    init(_ dialect: Dialect) {
        port = dialect.port
        knowsEverything = dialect.knowsEverything
    }

    mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        if port == Int(connection.server.port) { fitsPort = true }
    }

    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard line.marks.isEmpty else { return }
        lines += 1
        self.bytes += line.frame.whole.count
        let isVerbless = message.split.verb.isEmpty
        guard message.command != nil, !line.breaksDialect, !(knowsEverything && isVerbless) else {
            return
        }
        known += 1
        knownBytes += line.frame.whole.count
    }

    mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {}
    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo) {}
    mutating func finish() {}
}
