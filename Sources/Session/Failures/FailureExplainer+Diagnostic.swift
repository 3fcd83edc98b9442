import Diagnostics
import Results
import Scenario

/// Diagnostics of failures, and the part of the transcript that shows the cause.
extension FailureExplainer {
    func diagnostic(_ failure: StepFailure) -> Diagnostic {
        let origin = failure.origin ?? origin
        var location: DiagnosticLocation?
        if let origin {
            location = DiagnosticLocation(
                source: mask.masked(origin.source), range: failure.range ?? origin.range,
                label: mask.masked(failure.label))
        }
        var result = Diagnostic(
            .error, failure.code, mask.masked(failure.message), at: location,
            notes: failure.notes)
        if let origin, let useSite = origin.useSite {
            result = result.related(
                DiagnosticLocation(
                    source: mask.masked(program.file.source), range: useSite,
                    label: "used here"))
        }
        if let block = failure.block, block.range != origin?.range {
            result = result.related(
                DiagnosticLocation(
                    source: mask.masked(block.source), range: block.range,
                    label: "in this block"))
        }
        for citation in citations(origin) {
            result.notes.append(DiagnosticNote(.cite, citation.summary))
        }
        if dropped > 0 {
            result = result.note(
                "the first \(dropped) transcript entries are omitted")
        }
        return result
    }

    /// Returns the step's own citation or, if it has none, the citations in the header.
    private func citations(_ origin: Origin?) -> [Citation] {
        if let citation = origin?.citation { return [citation] }
        return program.file.header.citations
    }

    // MARK: Focus

    /// Returns the focus of a failure: the entry of the line that caused it, the operators of the
    /// step, and the operator that sent last, because servers react to what was sent last.
    ///
    /// - Parameter stepOperators: indices of the operators of the current step.
    func focus(of failure: StepFailure, _ stepOperators: [Int]) -> TranscriptFocus {
        let stepNames = stepOperators.map { operators[$0].name }
        let decisive = (failure.entry ?? closeEntry(of: failure, stepNames)).map {
            $0 - dropped
        }
        .flatMap { entries.indices.contains($0) ? $0 : nil }
        var names = decisive.map { [entries[$0].operatorName] } ?? stepNames
        guard !names.isEmpty else { return TranscriptFocus(entry: decisive, operators: []) }
        let earlier = entries.prefix(decisive ?? entries.count)
        let send = earlier.last { $0.kind == .sent && $0.role == .plain }
        if let sender = send?.operatorName, !names.contains(sender) { names.append(sender) }
        return TranscriptFocus(entry: decisive, operators: names)
    }

    /// Number of the transcript entry that shows the server closing the connection; nil if the
    /// close did not cause the failure.
    private func closeEntry(of failure: StepFailure, _ names: [String]) -> Int? {
        guard failure.code == "run.closed" || failure.code == "run.wrong-close" else {
            return nil
        }
        let index = entries.lastIndex {
            ($0.kind == .closedByPeer || $0.kind == .resetByPeer)
                && (names.isEmpty || names.contains($0.operatorName))
        }
        return index.map { $0 + dropped }
    }
}
