import Diagnostics
import LineProtocol
import Scenario

/// Expectations that may be met in any order.
extension ScenarioSession {
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
                return .failed(
                    closedFailure(
                        open.operatorIndex, manner, "while \(open.pattern.text) was expected",
                        open.pattern.range))
            }
            if now >= until {
                return .failed(timeoutFailure(open.operatorIndex, open.pattern, until - step.start))
            }
        }
        return .blocked(until: soonest)
    }

    /// Crosses off the first open expectation that the line meets.
    mutating func takeUnordered(_ line: ReceivedLine, _ index: Int) -> StepFailure? {
        var nearest: (mismatch: Mismatch, pattern: LinePattern)?
        var skips = false
        for (place, open) in step.open.enumerated() where open.operatorIndex == index {
            guard let mismatch = matcher.mismatch(open.pattern, line, &context) else {
                step.open.remove(at: place)
                if case .failed(let failure) = taken(line, open.window, open.pattern) {
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
        guard !skips, !line.isUnasked, let nearest else { return nil }
        return mismatchFailure(nearest.mismatch, nearest.pattern, line, index)
    }
}
