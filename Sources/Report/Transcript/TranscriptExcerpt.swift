import Diagnostics
import Results

/// The transcript lines around the line that decided a failure, limited to the connections
/// involved.
struct TranscriptExcerpt {
    static let linesBefore = 7
    static let linesAfter = 2
    /// Maximum bytes shown per line.
    static let shownBytesMax = 200

    /// The lines, in order. One of them is decisive.
    let lines: [TranscriptLine]
    /// Number of transcript lines that are shown.
    let shown: Int
    /// Number of transcript lines that are left out.
    let omitted: Int
    /// True if no line of the transcript is left out or shortened.
    let isWhole: Bool

    /// Creates an excerpt; nil if there is no transcript, or if the part of it that explains the
    /// result is unknown.
    init?(_ result: ScenarioResult) {
        guard let focus = result.focus, !result.transcript.isEmpty else { return nil }
        let indices = result.transcript.indices.filter {
            focus.operators.isEmpty || focus.operators.contains(result.transcript[$0].operatorName)
        }
        let decisive = focus.entry.flatMap { indices.firstIndex(of: $0) }
        let end = decisive.map { min($0 + 1 + Self.linesAfter, indices.count) } ?? indices.count
        let start = max(0, (decisive ?? indices.count) - Self.linesBefore)
        var lines = TranscriptLine.lines(
            of: result.transcript, at: indices[start..<end], decisive: focus.entry,
            shownBytesMax: Self.shownBytesMax)
        shown = lines.count
        omitted = result.transcript.count - shown
        isWhole =
            omitted == 0
            && result.transcript.allSatisfy {
                max($0.bytes.count, $0.payload?.count ?? 0) <= Self.shownBytesMax
            }
        if decisive == nil { lines.append(TranscriptLine(endOf: result, focus)) }
        self.lines = lines
    }

    /// Returns a heading such as `transcript (9 of 41 lines)`.
    ///
    /// - Parameter hint: Advice on how to show all lines, added to the heading if lines are left
    ///   out.
    func heading(hint: String = "") -> String {
        let total = shown + omitted
        guard omitted > 0 else { return "transcript (\(counted(total, "line")))" }
        return "transcript (\(shown) of \(counted(total, "line"))\(hint))"
    }

    /// Returns the given text, followed by the heading and the excerpt.
    func appended(to text: String) -> String {
        let gap = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
        return text + gap + "  \(heading()):\n" + TranscriptText.plain.text(of: lines)
    }
}

extension TranscriptLine {
    /// Creates a line that marks where a scenario ended because nothing arrived.
    fileprivate init(endOf result: ScenarioResult, _ focus: TranscriptFocus) {
        self.init(
            time: decimal(result.duration, per: 1_000_000, digits: 1),
            operatorName: escapedForDisplay(focus.operators.first ?? ""),
            text: result.verdict == .inconclusive ? "stopped here" : "failed here")
    }
}
