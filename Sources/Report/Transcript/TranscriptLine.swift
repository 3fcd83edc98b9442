import Diagnostics
package import Results

/// One line of a transcript as every report shows it.
package struct TranscriptLine: Sendable, Hashable {
    /// The most bytes of a line, and of a payload, that are shown.
    package static let shownBytesMax = 2048

    /// The time since the start in milliseconds, one decimal place.
    package var time: String
    /// Who sent or received it.
    package var operatorName: String
    /// `→` sent, `←` received, `·` an event of the connection.
    package var arrow: String
    /// The text, everything in it escaped that a terminal could take for an order.
    package var text: String
    /// The payload; nil where there is none.
    package var payload: String?
    /// What became of it, where that is worth a word: `ignored`, `standing reply`, `probe`.
    package var remark: String?
    /// Whether it is an event rather than a line.
    package var isEvent: Bool

    /// The lines of a transcript. A terminator is shown where it is not the one that most lines of its
    /// direction have (of several as frequent ones the first).
    package static func lines(of transcript: [TranscriptEntry]) -> [TranscriptLine] {
        let usual: [TranscriptEntry.Kind: [UInt8]] = [
            .sent: usualTerminator(transcript, .sent),
            .received: usualTerminator(transcript, .received),
        ]
        return transcript.map { TranscriptLine($0, usualTerminator: usual[$0.kind] ?? []) }
    }

    private static func usualTerminator(
        _ transcript: [TranscriptEntry], _ kind: TranscriptEntry.Kind
    ) -> [UInt8] {
        var counts: [(terminator: [UInt8], count: Int)] = []
        for entry in transcript where entry.kind == kind && !entry.terminator.isEmpty {
            if let index = counts.firstIndex(where: { $0.terminator == entry.terminator }) {
                counts[index].count += 1
            } else {
                counts.append((entry.terminator, 1))
            }
        }
        let most = counts.map(\.count).max()
        return counts.first { $0.count == most }?.terminator ?? []
    }

    private init(_ entry: TranscriptEntry, usualTerminator: [UInt8]) {
        time = decimal(entry.time, per: 1_000_000, places: 1)
        operatorName = escapedForDisplay(entry.operatorName)
        payload = entry.payload.map(Self.shown)
        remark =
            switch entry.role {
            case .plain: nil
            case .ignored: "ignored"
            case .standing: entry.kind == .sent ? "standing reply" : "standing"
            case .probe: "probe"
            }
        if entry.omittedBytes > 0 {
            let omitted = "\(counted(entry.omittedBytes, "byte")) left out"
            remark = remark.map { "\($0), \(omitted)" } ?? omitted
        }
        isEvent = true
        arrow = "·"
        switch entry.kind {
        case .connected: text = "connected"
        case .closed: text = "closed by us"
        case .closedByPeer: text = "closed by the server"
        case .resetByPeer: text = "reset by the server"
        case .sent, .received:
            let tail = entry.terminator == usualTerminator ? [] : entry.terminator
            text = Self.shown(entry.bytes) + escapedForDisplay(tail)
            arrow = entry.kind == .sent ? "→" : "←"
            isEvent = false
        }
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        guard bytes.count > shownBytesMax else { return escapedForDisplay(bytes) }
        let rest = bytes.count - shownBytesMax
        return escapedForDisplay(bytes.prefix(shownBytesMax))
            + "… and \(counted(rest, "byte")) more"
    }
}
