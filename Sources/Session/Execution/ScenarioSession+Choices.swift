import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// `one of { … } or { … }` blocks, which wait until the first step of one of the blocks is met.
extension ScenarioSession {
    mutating func choose(_ choices: [Choice], _ origin: Origin) -> StepProgress {
        for index in Set(choices.map(\.operatorIndex)).sorted() {
            if let progress = ensureConnected(index) { return progress }
            while let line = operators[index].lines.takeFirst() {
                if let progress = take(line, index, choices, origin) { return progress }
            }
        }
        if let progress = takeClose(choices) { return progress }
        let until = choices.map { step.start + ($0.window.latest ?? stepTimeout) }.max() ?? now
        guard now >= until else { return .blocked(until: until) }
        return .failed(failures.choiceTimeout(choices, until - step.start))
    }

    /// Returns the progress of the step after an operator receives a line; nil to skip the line.
    private mutating func take(
        _ line: ReceivedLine, _ index: Int, _ choices: [Choice], _ origin: Origin
    ) -> StepProgress? {
        let own = choices.filter { $0.operatorIndex == index }
        // Any lines may arrive before the connection is closed.
        var skips = false
        var nearest: (mismatch: Mismatch, pattern: LinePattern)?
        for choice in own {
            guard case .line(let mode, let pattern) = choice.event else {
                skips = true
                continue
            }
            if let latest = choice.window.latest, line.time - step.start > latest { continue }
            guard let mismatch = traffic.bindings.mismatch(pattern, line) else {
                if case .failed(let failure) = taken(line, choice.window, pattern, index) {
                    return .failed(failure)
                }
                return .jump(choice.begin)
            }
            skips = skips || mode == .skip
            if nearest == nil
                || (nearest?.mismatch.isOtherCommand == true && !mismatch.isOtherCommand)
            {
                nearest = (mismatch, pattern)
            }
        }
        if let nearest, !skips, !line.isUnsolicited {
            return .failed(failures.choiceMismatch(nearest.mismatch, line, index, choices))
        }
        operators[index].lines.skip(line)
        if let nearest, origin.failsOnReject, traffic.bindings.isRefusal(line, index) {
            return .failed(failures.refusal(line, nearest.pattern))
        }
        return nil
    }

    /// Returns the progress of the step if a server has closed a connection. Returns nil if the
    /// step must keep waiting, because the first step of one of the blocks can still be met.
    private func takeClose(_ choices: [Choice]) -> StepProgress? {
        var failure: StepFailure?
        for choice in choices {
            guard case .closedByPeer(let actual) = operators[choice.operatorIndex].connection else {
                continue
            }
            switch choice.event {
            case .line(_, let pattern):
                failure =
                    failure
                    ?? failures.closed(
                        choice.operatorIndex, actual,
                        "while the scenario was waiting for one of: \(failures.listed(choices))",
                        pattern.range)
            case .closed(let manner) where manner == nil || manner == actual:
                return .jump(choice.begin)
            case .closed(let manner):
                failure = failures.wrongClose(choice.operatorIndex, actual, expected: manner)
            }
        }
        let canHappen = choices.contains { choice in
            if case .closedByPeer = operators[choice.operatorIndex].connection { return false }
            return true
        }
        return canHappen ? nil : failure.map { .failed($0) }
    }
}
