import LineProtocol
package import Results
import Scenario
import Session

/// Compares replays to find values that vary.
extension ScenarioDraft {
    /// Compares the recorded lines with the same lines in replays of the loose scenario, and
    /// replaces the parts that differ with placeholders.
    ///
    /// - Parameter transcripts: Transcripts of the replays, all of which passed.
    package mutating func learn(from transcripts: [[TranscriptEntry]]) {
        let replays = transcripts.map { Replay($0, self) }
        change { index, line in
            let lines = replays.compactMap { $0.lines[index] }
            guard line.line.direction == .fromServer, !lines.isEmpty else { return }
            Self.generalise(&line, lines)
        }
        replaceCounters()
    }

    /// Loosens the step in line `number` of the text: an expectation then compares only the
    /// command, and a close need not be a reset. Returns false if there is nothing to loosen.
    package mutating func loosen(line number: Int) -> Bool {
        guard let index = stepLines(isLoose: false).firstIndex(of: number) else { return false }
        switch steps[index].kind {
        case .expect(var line) where !line.isLoose:
            line.isLoose = true
            steps[index].kind = .expect(line)
        case .closed(isReset: true): steps[index].kind = .closed(isReset: false)
        default: return false
        }
        return true
    }

    private static func generalise(_ line: inout Line, _ others: [RecordedLine]) {
        let own = line.line
        let count = others.map(\.fields.count).reduce(own.fields.count, min)
        if others.contains(where: { $0.fields.count != own.fields.count }) {
            line.comparedMax = count
        }
        for field in 0..<count where line.fields[field] == .literal {
            let values = [own.value(own.fields[field])] + others.map { $0.value($0.fields[field]) }
            if let pieces = FieldVariants.pieces(values) { line.fields[field] = .pieces(pieces) }
        }
        if others.contains(where: { $0.payload != own.payload }) {
            line.payload = .pieces([.placeholder("{{_}}")])
        }
    }

    /// The lines received in a replay, by step index.
    private struct Replay {
        var lines: [Int: RecordedLine] = [:]

        init(_ transcript: [TranscriptEntry], _ draft: ScenarioDraft) {
            for actor in draft.operators.indices {
                let name = draft.operators[actor]
                var reader = ConversationReader(draft.dialect)
                let came = transcript.filter {
                    $0.operatorName == name && $0.kind == .received
                        && ($0.role == .plain || $0.role == .ignored)
                }.compactMap { draft.recorded($0, &reader) }
                var next = 0
                for (index, step) in draft.steps.enumerated() where step.actor == actor {
                    guard case .expect(let expected) = step.kind else { continue }
                    let found = came[next...].firstIndex {
                        $0.verbBytes == expected.line.verbBytes
                    }
                    guard let found else { break }
                    lines[index] = came[found]
                    next = found + 1
                }
            }
        }
    }

    private func recorded(
        _ entry: TranscriptEntry, _ reader: inout ConversationReader
    ) -> RecordedLine? {
        var bytes = entry.bytes + entry.terminator
        if let payload = entry.payload { bytes += payload }
        let frame = Frame(
            line: 0..<entry.bytes.count,
            payload: entry.payload.map { bytes.count - $0.count..<bytes.count },
            whole: 0..<bytes.count)
        return reader.line(frame, bytes, .fromServer)
    }
}
