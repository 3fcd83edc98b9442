import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// `one of { … } or { … }` blocks, which wait until the first step of one of the blocks is met.
extension ScenarioSession {
    mutating func choose(_ choices: [Choice], _ origin: Origin) -> StepProgress {
        for index in Set(choices.map(\.operatorIndex)).sorted() {
            if let progress = ensureConnected(index) { return progress }
            while let line = operators[index].takeLine() {
                if let progress = take(line, index, choices, origin) { return progress }
            }
        }
        if let progress = takeClose(choices) { return progress }
        let until = choices.map { step.start + ($0.window.latest ?? stepTimeout) }.max() ?? now
        guard now >= until else { return .blocked(until: until) }
        return .failed(choiceTimeout(choices, until - step.start))
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
            guard let mismatch = matcher.mismatch(pattern, line, &context) else {
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
            return .failed(choiceMismatch(nearest.mismatch, nearest.pattern, line, index, choices))
        }
        operators[index].skippedLines.add(line)
        if let nearest, origin.failsOnReject, isRefusal(line, index) {
            return .failed(refusalFailure(line, nearest.pattern, index))
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
                    ?? closedFailure(
                        choice.operatorIndex, actual,
                        "while the scenario was waiting for one of: \(listed(choices))",
                        pattern.range)
            case .closed(let manner) where manner == nil || manner == actual:
                return .jump(choice.begin)
            case .closed(let manner):
                failure = StepFailure(
                    code: "run.wrong-close",
                    message: "expected the server to close "
                        + "\(operators[choice.operatorIndex].name)'s connection by "
                        + "\(manner?.rawValue ?? ""), but it was closed by \(actual.rawValue)")
            }
        }
        let canHappen = choices.contains { choice in
            if case .closedByPeer = operators[choice.operatorIndex].connection {
                false
            } else {
                true
            }
        }
        return canHappen ? nil : failure.map { .failed($0) }
    }

    // MARK: Failures

    private mutating func choiceMismatch(
        _ mismatch: Mismatch, _ pattern: LinePattern, _ line: ReceivedLine, _ index: Int,
        _ choices: [Choice]
    ) -> StepFailure {
        var failure = mismatchFailure(mismatch, pattern, line, index)
        if mismatch.isOtherCommand {
            failure.message =
                "\(described(line)) for \(operators[index].name) does not match the first step of any block"
            failure.range = nil
        } else {
            failure.message =
                "the line does not match the first step of any block; closest: " + failure.message
        }
        failure.notes.append(DiagnosticNote(.note, "expected one of: \(listed(choices))"))
        return failure
    }

    func choiceTimeout(_ choices: [Choice], _ waited: Int64) -> StepFailure {
        StepFailure(
            code: "run.timeout",
            message: "expected one of these within \(duration(waited)): \(listed(choices))",
            label: arrivals(Set(choices.map(\.operatorIndex)).sorted()))
    }

    /// Lists the first steps for a message: `alice <- 409 {{...}}, alice closed`.
    private func listed(_ choices: [Choice]) -> String {
        choices.map { choice in
            let name = operators[choice.operatorIndex].name
            return switch choice.event {
            case .line(let mode, let pattern):
                "\(name) \(mode.rawValue) \(recorder.masked(pattern.text))"
            case .closed(let manner):
                "\(name) closed" + (manner.map { " by \($0.rawValue)" } ?? "")
            }
        }.joined(separator: ", ")
    }
}
