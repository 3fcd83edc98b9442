import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Runs `any order` blocks, whose expectations may be met in any order.
extension ScenarioSession {
    /// Maximum number of expectations to list in a failure message.
    static var listedMax: Int { 8 }

    mutating func anyOrder(_ expectations: [UnorderedExpectation]) -> StepProgress {
        if !step.isEntered {
            step.isEntered = true
            step.open = expectations
        }
        for index in Set(expectations.map(\.operatorIndex)).sorted() {
            if let progress = ensureConnected(index) { return progress }
            while step.open.contains(where: { $0.operatorIndex == index }),
                let line = operators[index].takeLine()
            {
                if let failure = takeUnordered(line, index) { return .failed(failure) }
            }
        }
        guard !step.open.isEmpty else { return .done }
        var soonest = Int64.max
        for open in step.open {
            let until = step.start + (open.window.latest ?? stepTimeout)
            soonest = min(soonest, until)
            if case .closedByPeer(let manner) = operators[open.operatorIndex].connection {
                return .failed(unorderedClose(open, manner))
            }
            if now >= until { return .failed(unorderedTimeout([open], until - step.start)) }
        }
        return .blocked(until: soonest)
    }

    /// Removes the first pending expectation that the line meets. Returns a failure if the line
    /// arrived outside the expectation's window, or if it meets no expectation and cannot be
    /// skipped; otherwise nil.
    mutating func takeUnordered(_ line: ReceivedLine, _ index: Int) -> StepFailure? {
        var nearest: (mismatch: Mismatch, pattern: LinePattern)?
        var skips = false
        for (position, open) in step.open.enumerated() where open.operatorIndex == index {
            guard let mismatch = matcher.mismatch(open.pattern, line, &context) else {
                step.open.remove(at: position)
                if case .failed(let failure) = taken(line, open.window, open.pattern, index) {
                    return failure
                }
                return nil
            }
            skips = skips || open.mode == .skip
            if nearest == nil
                || (nearest?.mismatch.isOtherCommand == true && !mismatch.isOtherCommand)
            {
                nearest = (mismatch, open.pattern)
            }
        }
        guard !skips, !line.isUnsolicited, let nearest else {
            operators[index].skippedLines.add(line)
            return nil
        }
        return unorderedMismatch(nearest.mismatch, nearest.pattern, line, index)
    }

    // MARK: Failures

    private mutating func unorderedMismatch(
        _ mismatch: Mismatch, _ pattern: LinePattern, _ line: ReceivedLine, _ index: Int
    ) -> StepFailure {
        var failure = mismatchFailure(mismatch, pattern, line, index)
        guard step.open.count > 1 else { return failure }
        let name = operators[index].name
        if mismatch.isOtherCommand {
            failure.message =
                "\(described(line)) for \(name) matches none of the lines still expected"
            failure.range = nil
        } else {
            failure.message =
                "the line for \(name) matches none of the lines still expected; closest: "
                + failure.message
        }
        failure.message += " (any order)"
        failure.notes.append(DiagnosticNote(.note, "still expected: \(listed(step.open))"))
        return failure
    }

    func unorderedTimeout(_ late: [UnorderedExpectation], _ waited: Int64) -> StepFailure {
        let count = step.open.count
        let limit = duration(waited)
        let what =
            count == 1
            ? "expected this line within \(limit), but it did not arrive: "
            : "expected these lines in any order within \(limit), but they did not arrive: "
        var failure = StepFailure(
            code: "run.timeout", message: what + listed(step.open),
            label: arrivals(Set(step.open.map(\.operatorIndex)).sorted()))
        if count == 1 || late.count == 1 { failure.range = late.first?.pattern.range }
        return failure
    }

    private func unorderedClose(
        _ open: UnorderedExpectation, _ manner: ClosingManner
    ) -> StepFailure {
        closedFailure(
            open.operatorIndex, manner,
            "while these lines were still expected in any order: "
                + listed(step.open), open.pattern.range)
    }

    /// Lists expectations for a message: `alice <- JOIN {{...}}, bob <~ 376`.
    private func listed(_ open: [UnorderedExpectation]) -> String {
        var parts = open.prefix(Self.listedMax).map { expectation in
            "\(operators[expectation.operatorIndex].name) \(expectation.mode.rawValue) "
                + recorder.masked(expectation.pattern.text)
        }
        if open.count > Self.listedMax { parts.append("\(open.count - Self.listedMax) more") }
        return parts.joined(separator: ", ")
    }
}
