import Diagnostics
import LineProtocol
import Results

/// The transcript entry and the connections that explain a failure.
extension ScenarioSession {
    /// Returns the focus of a failure: the entry of the line that caused it, the operators of the
    /// step, and the operator that sent last, because servers react to what was sent last.
    func focus(of failure: StepFailure) -> TranscriptFocus {
        let entries = recorder.entries
        let decisive = (failure.entry ?? closeEntry(of: failure)).map { $0 - recorder.dropped }
            .flatMap { entries.indices.contains($0) ? $0 : nil }
        var names =
            decisive.map { [entries[$0].operatorName] }
            ?? operatorsOfStep.map { operators[$0].name }
        guard !names.isEmpty else { return TranscriptFocus(entry: decisive, operators: []) }
        let earlier = entries.prefix(decisive ?? entries.count)
        let send = earlier.last { $0.kind == .sent && $0.role == .plain }
        if let sender = send?.operatorName, !names.contains(sender) { names.append(sender) }
        return TranscriptFocus(entry: decisive, operators: names)
    }

    /// Number of the transcript entry that shows the server closing the connection; nil if the
    /// close did not cause the failure.
    private func closeEntry(of failure: StepFailure) -> Int? {
        guard failure.code == "run.closed" || failure.code == "run.wrong-close" else {
            return nil
        }
        let names = operatorsOfStep.map { operators[$0].name }
        let index = recorder.entries.lastIndex {
            ($0.kind == .closedByPeer || $0.kind == .resetByPeer)
                && (names.isEmpty || names.contains($0.operatorName))
        }
        return index.map { $0 + recorder.dropped }
    }

    /// Indices of the operators of the current step; empty if it has none.
    private var operatorsOfStep: [Int] {
        guard counter < program.instructions.count else { return [] }
        switch program.instructions[counter].operation {
        case .connect(let index), .close(let index), .halfClose(let index), .abort(let index),
            .setReading(let index, _), .startTLS(let index), .send(let index, _),
            .expect(let index, _, _, _),
            .closed(let index, _, _), .quiet(let index, _), .loginName(let index, _):
            return [index]
        case .sync(let indices): return indices
        case .anyOrder(let expectations):
            let open = step.open.isEmpty ? expectations : step.open
            return Set(open.map(\.operatorIndex)).sorted()
        case .oneOf(let choices, _): return Set(choices.map(\.operatorIndex)).sorted()
        case .wait, .jump, .standing, .bind, .fresh, .beginRepeat, .endRepeat, .beginEventually,
            .endEventually, .comparisonMark:
            return []
        }
    }
}
