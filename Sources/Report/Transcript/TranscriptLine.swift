import Diagnostics
package import Results

/// A transcript line, formatted for reports.
package struct TranscriptLine: Sendable, Hashable {
    /// Maximum bytes shown per line or payload. The rest are only counted.
    package static let shownBytesMax = 2048

    /// Time since the start of the scenario, in milliseconds with one decimal place.
    package var time: String
    /// Name of the operator that sent or received the line.
    package var operatorName: String
    /// `→` if the line was sent, `←` if it was received, `·` for a connection event.
    package var arrow: String
    /// The line's text, with control characters escaped.
    package var text: String
    package var payload: String?
    /// Note about the line: its role (`ignored`, `standing rule`, `standing reply` or `probe`), or
    /// the included file and line of the step that sent it, and the number of omitted bytes. Nil if
    /// there is nothing to note.
    package var note: String?
    /// True for connection events, false for lines.
    package var isEvent: Bool
    /// True for the line that decided a failure.
    package var isDecisive = false

    /// Formats the lines of a transcript. A terminator is shown only if it differs from the most
    /// frequent one in its direction.
    ///
    /// - Parameters:
    ///   - indices: Indices of the entries to format; nil to format all entries.
    ///   - decisive: Index of the entry to mark as the cause of a failure; nil to mark none.
    package static func lines(
        of transcript: [TranscriptEntry], at indices: (some Sequence<Int>)? = nil as [Int]?,
        decisive: Int? = nil, shownBytesMax: Int = shownBytesMax
    ) -> [TranscriptLine] {
        let usual: [TranscriptEntry.Kind: [UInt8]] = [
            .sent: usualTerminator(transcript, .sent),
            .received: usualTerminator(transcript, .received),
        ]
        func line(_ index: Int) -> TranscriptLine {
            let entry = transcript[index]
            var line = TranscriptLine(
                entry, usualTerminator: usual[entry.kind] ?? [], shownBytesMax)
            line.isDecisive = index == decisive
            return line
        }
        return indices.map { $0.map(line) } ?? transcript.indices.map(line)
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

    /// Creates a line that does not represent an entry of the transcript.
    init(time: String, operatorName: String, text: String) {
        self.time = time
        self.operatorName = operatorName
        self.text = text
        arrow = "·"
        isEvent = true
        isDecisive = true
    }

    private init(_ entry: TranscriptEntry, usualTerminator: [UInt8], _ shownBytesMax: Int) {
        time = decimal(entry.time, per: 1_000_000, digits: 1)
        operatorName = escapedForDisplay(entry.operatorName)
        payload = entry.payload.map { Self.shown($0, shownBytesMax) }
        note =
            switch entry.role {
            case .plain: entry.kind == .sent ? Self.origin(entry) : nil
            case .ignored: "ignored"
            case .standing: entry.kind == .sent ? "standing reply" : "standing rule"
            case .probe: "probe"
            }
        if entry.omittedBytes > 0 {
            let omitted = "\(counted(entry.omittedBytes, "byte")) omitted"
            note = note.map { "\($0), \(omitted)" } ?? omitted
        }
        isEvent = true
        arrow = "·"
        switch entry.kind {
        case .connected: text = "connected"
        case .closed: text = "closed by the client"
        case .closedByPeer: text = "closed by the server"
        case .resetByPeer: text = "reset by the server"
        case .sent, .received:
            let tail = entry.terminator == usualTerminator ? [] : entry.terminator
            text = Self.shown(entry.bytes, shownBytesMax) + escapedForDisplay(tail)
            arrow = entry.kind == .sent ? "→" : "←"
            isEvent = false
        }
        if isEvent, !entry.bytes.isEmpty { text += ": \(Self.shown(entry.bytes, shownBytesMax))" }
    }

    /// Returns the step that sent a line if the step is in an included file; otherwise nil.
    private static func origin(_ entry: TranscriptEntry) -> String? {
        guard let step = entry.included else { return nil }
        let use = entry.line.map { ", used on line \($0)" } ?? ""
        return "\(escapedForDisplay(step.file)):\(step.line)\(use)"
    }

    private static func shown(_ bytes: [UInt8], _ shownBytesMax: Int) -> String {
        guard bytes.count > shownBytesMax else { return escapedForDisplay(bytes) }
        let rest = bytes.count - shownBytesMax
        return escapedForDisplay(bytes.prefix(shownBytesMax))
            + "… and \(counted(rest, "byte")) more"
    }
}
