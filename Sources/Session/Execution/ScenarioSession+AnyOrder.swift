import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Runs `any order` blocks, whose expectations may be met in any order.
extension ScenarioSession {
    mutating func anyOrder(_ expectations: [UnorderedExpectation]) -> StepProgress {
        if !step.isEntered {
            step.isEntered = true
            step.open = expectations
        }
        for index in Set(expectations.map(\.operatorIndex)).sorted() {
            if let progress = ensureConnected(index) { return progress }
            while step.open.contains(where: { $0.operatorIndex == index }),
                let line = operators[index].lines.takeFirst()
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
                return .failed(failures.unorderedClose(open, manner, pending: step.open))
            }
            if now >= until {
                return .failed(
                    failures.unorderedTimeout([open], until - step.start, pending: step.open))
            }
        }
        return .blocked(until: soonest)
    }

    /// Removes the first pending expectation that the line meets. Returns a failure if the line
    /// arrived outside the expectation's window, or if it meets no expectation and cannot be
    /// skipped; otherwise nil.
    mutating func takeUnordered(_ line: ReceivedLine, _ index: Int) -> StepFailure? {
        var nearest: Mismatch?
        var skips = false
        for (position, open) in step.open.enumerated() where open.operatorIndex == index {
            guard let mismatch = traffic.bindings.mismatch(open.pattern, line) else {
                step.open.remove(at: position)
                if case .failed(let failure) = taken(line, open.window, open.pattern, index) {
                    return failure
                }
                return nil
            }
            skips = skips || open.mode == .skip
            if nearest.map({ $0.isOtherCommand && !mismatch.isOtherCommand }) ?? true {
                nearest = mismatch
            }
        }
        guard !skips, !line.isUnsolicited, let nearest else {
            operators[index].lines.skip(line)
            return nil
        }
        return failures.unorderedMismatch(nearest, line, index, pending: step.open)
    }
}
