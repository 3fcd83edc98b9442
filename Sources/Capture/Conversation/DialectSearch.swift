package import DialectModel
import LineProtocol

/// Dialect detection by decoding the first lines of a capture with each dialect.
package struct DialectSearch: Sendable {
    /// Maximum number of bytes to examine.
    package static let sampleBytesMax = 1 << 20

    /// A dialect that may match the capture, and how well it does.
    package struct Candidate: Sendable {
        package var name: String
        package var fit: DialectFit
        /// True if a server uses the dialect's default port.
        var matchesPort = false

        /// Percentage of valid lines, plus a small bonus if the port matches; 0 if the dialect does
        /// not match.
        var score: Int {
            guard fit.percent > 0, matchesPort || fit.isDistinct else { return 0 }
            return fit.percent + (matchesPort ? 5 : 0)
        }
    }

    /// Returns the dialect that best matches a capture, given its first bytes; nil if none matches.
    ///
    /// - Parameter dialects: Candidates with their display names.
    package static func best(
        _ sample: [UInt8], among dialects: [(name: String, dialect: BoundDialect)],
        _ options: ReassemblyOptions
    ) -> Candidate? {
        best(dialects.map { candidate(sample, $0.name, $0.dialect, options) })
    }

    /// Returns whether a capture contains complete lines, given its first bytes.
    package static func hasLines(
        _ sample: [UInt8], _ dialect: BoundDialect, _ options: ReassemblyOptions
    ) -> Bool {
        candidate(sample, "", dialect, options).fit.lines > 0
    }

    /// Returns the candidate with the highest score, or the first such candidate if several share
    /// it; nil if none matches.
    static func best(_ candidates: [Candidate]) -> Candidate? {
        var best: Candidate?
        for candidate in candidates where candidate.score > (best?.score ?? 0) { best = candidate }
        return best
    }

    private static func candidate(
        _ sample: [UInt8], _ name: String, _ dialect: BoundDialect, _ options: ReassemblyOptions
    ) -> Candidate {
        var decoder = CaptureDecoder(
            MemorySource(sample), ErasedSink(MatchCounter(dialect.dialect)), dialect, options)
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            // The sample may end in the middle of a packet.
        }
        decoder.finish()
        let sink = decoder.sink.unwrapped(as: MatchCounter.self) ?? MatchCounter(dialect.dialect)
        return Candidate(name: name, fit: sink.fit, matchesPort: sink.matchesPort)
    }
}

/// A sink that counts the lines that are valid in a dialect.
private struct MatchCounter: ConversationSink {
    var fit: DialectFit
    var matchesPort = false
    private let port: Int?

    init(_ dialect: Dialect) {
        port = dialect.port
        fit = DialectFit(dialect)
    }

    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        if port == Int(connection.server.port) { matchesPort = true }
    }

    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard line.marks.isDisjoint(with: [.headMissing, .tailMissing]) else { return }
        fit.count(message, isBroken: line.breaksDialect, from: line.direction, in: bytes)
    }
}
