import DialectModel
import LineProtocol

/// Evidence for the dialect of a server port: how well the lines of its connections match each
/// candidate.
struct PortEvidence {
    /// Minimum number of lines, from both sides together, that make the port's dialect certain.
    static let linesMin = 8
    /// Maximum number of connections to examine. After that, the result is final, even if no
    /// dialect matches.
    static let connectionsMax = 16
    /// Minimum number of valid lines if only one side has sent lines.
    static let oneSidedLinesMin = 3

    private(set) var connections = 0
    /// The candidate dialects, with the counts of the lines so far.
    private var candidates: [DialectSearch.Candidate]

    init(_ dialects: DialectSet, port: UInt16) {
        candidates = dialects.candidates.map { index in
            let dialect = dialects.dialects[index].dialect
            return DialectSearch.Candidate(
                name: dialect.name, fit: DialectFit(dialect),
                matchesPort: dialect.port == Int(port))
        }
    }

    /// Adds the first lines of a connection.
    mutating func add(_ held: HeldConversation, _ dialects: DialectSet, isMidstream: Bool) {
        connections += 1
        for (position, index) in dialects.candidates.enumerated() {
            let dialect = dialects.dialects[index].dialect
            for (side, direction) in [
                (held.client, Direction.fromClient), (held.server, .fromServer),
            ] {
                let bytes = Self.wholeLines(side, isMidstream: isMidstream)
                candidates[position].fit.add(DialectSearch.fit(bytes.span, direction, dialect))
            }
        }
    }

    /// Returns a side's bytes, without the first line if its start may be missing.
    private static func wholeLines(
        _ side: HeldConversation.Side, isMidstream: Bool
    ) -> [UInt8] {
        guard isMidstream, side.lines > 1, let end = side.bytes.firstIndex(of: 0x0A) else {
            return side.bytes
        }
        return Array(side.bytes[(end + 1)...])
    }

    /// Index of the candidate that matches best; nil if none matches.
    var best: Int? {
        var best: (position: Int, score: Int)?
        for (position, candidate) in candidates.enumerated()
        where candidate.score > (best?.score ?? 0) && Self.isEnough(candidate) {
            best = (position, candidate.score)
        }
        return best?.position
    }

    /// Returns whether enough lines match the candidate. A few lines from one side match many
    /// dialects, so they are evidence only on the dialect's default port.
    private static func isEnough(_ candidate: DialectSearch.Candidate) -> Bool {
        candidate.fit.hasBothSides || candidate.matchesPort
            || candidate.fit.known >= oneSidedLinesMin
    }

    /// True if the best dialect can be used for all other connections to the port.
    var isCertain: Bool {
        if connections >= Self.connectionsMax { return true }
        guard let best else { return false }
        let fit = candidates[best].fit
        return fit.hasBothSides && fit.lines >= Self.linesMin
    }
}
