package import DialectModel
import LineProtocol

/// Detects the dialect of a capture by trying each dialect on the first lines.
package struct DialectSearch: Sendable {
    /// Maximum number of bytes of the capture that are examined.
    package static let sampleBytesMax = 1 << 20
    /// Minimum percentage of bytes that must belong to known commands.
    static let sharePercentMin = 60

    /// A dialect, and how well it matches.
    package struct Candidate: Sendable {
        package var name: String
        /// Number of lines that are valid in the dialect.
        package var known: Int
        package var lines: Int
        var knownBytes: Int
        var bytes: Int
        /// True if a server uses the dialect's default port.
        var matchesPort: Bool

        /// Percentage of bytes in known commands, plus a small bonus if the port matches.
        var score: Int { bytes == 0 ? 0 : knownBytes * 100 / bytes + (matchesPort ? 5 : 0) }
    }

    /// Returns the dialect that best matches the capture that starts with `sample`; nil if none
    /// matches.
    ///
    /// - Parameter dialects: Candidates with their display names. A candidate that accepts every
    ///   line must come last, so that it is chosen only if no other one matches.
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
            MemorySource(sample), MatchCounter(dialect.dialect), dialect, options)
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            // The sample may end within a packet.
        }
        decoder.finish()
        let sink = decoder.sink
        return Candidate(
            name: name, known: sink.known, lines: sink.lines, knownBytes: sink.knownBytes,
            bytes: sink.bytes, matchesPort: sink.matchesPort)
    }
}

/// A sink that counts the lines that are valid in a dialect.
private struct MatchCounter: ConversationSink {
    var known = 0
    var lines = 0
    var knownBytes = 0
    var bytes = 0
    var matchesPort = false
    private let port: Int?
    private let acceptsAnyLine: Bool

    init(_ dialect: Dialect) {
        port = dialect.port
        acceptsAnyLine = dialect.acceptsAnyLine
    }

    mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        if port == Int(connection.server.port) { matchesPort = true }
    }

    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard line.marks.isEmpty else { return }
        lines += 1
        self.bytes += line.frame.whole.count
        let isVerbless = message.split.verb.isEmpty
        guard message.command != nil, !line.breaksDialect, !(acceptsAnyLine && isVerbless) else {
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
