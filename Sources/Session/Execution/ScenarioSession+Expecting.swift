import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Steps that expect lines, and steps that expect no lines.
extension ScenarioSession {
    mutating func expect(
        _ index: Int, _ mode: Expectation.Mode, _ pattern: LinePattern, _ window: TimeWindow,
        _ origin: Origin
    ) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        switch mode {
        case .next: return expectNext(index, pattern, window)
        case .skip: return expectSkipping(index, pattern, window, origin)
        case .optional: return expectOptional(index, pattern, window)
        case .never: return expectNever(index, pattern, window)
        }
    }

    mutating func expectNext(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        while let line = operators[index].lines.takeFirst() {
            guard let mismatch = traffic.bindings.mismatch(pattern, line) else {
                return taken(line, window, pattern, index)
            }
            if !line.isUnsolicited { return .failed(failures.mismatch(mismatch, line)) }
            operators[index].lines.skip(line, mismatch)
        }
        return waitForLine(index, pattern, window)
    }

    mutating func expectSkipping(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow, _ origin: Origin
    ) -> StepProgress {
        while let line = operators[index].lines.takeFirst() {
            guard let mismatch = traffic.bindings.mismatch(pattern, line) else {
                return taken(line, window, pattern, index)
            }
            operators[index].lines.skip(line, mismatch)
            if origin.failsOnReject, traffic.bindings.isRefusal(line, index) {
                return .failed(failures.refusal(line, pattern))
            }
        }
        return waitForLine(index, pattern, window)
    }

    /// Checks that a matching line is complete and did not arrive too early.
    mutating func taken(
        _ line: ReceivedLine, _ window: TimeWindow, _ pattern: LinePattern, _ index: Int
    ) -> StepProgress {
        if line.isUnterminated { return .failed(failures.unterminated(line, pattern, index)) }
        let waited = line.time - step.start
        if let earliest = window.earliest, waited < earliest {
            return .failed(failures.tooEarly(line, pattern, waited, earliest: earliest))
        }
        traffic.bindings.storeCaptures()
        operators[index].lines.resetSkipped()
        if options.recordsStepTimes {
            stepTimes.append(
                StepTime(
                    instruction: counter, offset: pattern.range.start, operatorIndex: index,
                    sent: min(lastSend?.time ?? step.start, line.time), arrived: line.time))
        }
        return .done
    }

    mutating func waitForLine(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        if case .closedByPeer(let manner) = operators[index].connection {
            let when = "while the scenario was waiting for \(pattern.text)"
            return .failed(failures.closed(index, manner, when, pattern.range))
        }
        let until = step.start + (window.latest ?? stepTimeout)
        guard now >= until else { return .blocked(until: until) }
        return .failed(failures.timeout(index, pattern, until - step.start))
    }

    mutating func expectOptional(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        for line in operators[index].lines.inbox.unread.dropFirst(step.looked) {
            step.looked += 1
            if !line.isUnterminated, traffic.bindings.mismatch(pattern, line) == nil {
                operators[index].lines.removeFirst(step.looked)
                return taken(line, window, pattern, index)
            }
            if !line.isUnsolicited { return .done }
        }
        if let latest = window.latest {
            let until = step.start + latest
            return operators[index].canReceive && now < until ? .blocked(until: until) : .done
        }
        return untilAnswered(index)
    }

    mutating func expectNever(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        let lines = Array(operators[index].lines.inbox.unread.dropFirst(step.looked))
        for line in lines {
            step.looked += 1
            guard traffic.bindings.mismatch(pattern, line) == nil else { continue }
            return .failed(
                StepFailure(
                    code: "run.unwanted-line", message: "unexpected \(pattern.text)",
                    range: pattern.range, label: failures.received(line), entry: line.entry))
        }
        return untilQuiet(index, window)
    }

    mutating func quiet(_ index: Int, _ window: TimeWindow) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        for line in operators[index].lines.inbox.unread.dropFirst(step.looked) {
            step.looked += 1
            if line.isUnsolicited { continue }
            return .failed(
                StepFailure(
                    code: "run.not-quiet",
                    message: "expected no line for \(operators[index].name), "
                        + "but one arrived",
                    label: failures.received(line), entry: line.entry))
        }
        return untilQuiet(index, window)
    }

    /// Finishes when the time limit is reached or, without a time limit, when the server has
    /// answered a probe.
    mutating func untilQuiet(_ index: Int, _ window: TimeWindow) -> StepProgress {
        if let time = window.latest {
            traffic.isTimingBased = true
            let until = step.start + time
            return now >= until ? .done : .blocked(until: until)
        }
        return untilAnswered(index)
    }

    private mutating func untilAnswered(_ index: Int) -> StepProgress {
        if case .waiting(let until) = step.probes.state(of: index, in: &traffic) {
            return .blocked(until: until)
        }
        return .done
    }

    mutating func expectClose(
        _ index: Int, _ manner: ClosingManner?, _ window: TimeWindow
    ) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        while let line = operators[index].lines.takeFirst() { operators[index].lines.skip(line) }
        guard case .closedByPeer(let actual) = operators[index].connection else {
            let until = step.start + (window.latest ?? stepTimeout)
            guard now >= until else { return .blocked(until: until) }
            return .failed(failures.notClosed(index, until - step.start))
        }
        if let earliest = window.earliest, now - step.start < earliest {
            return .failed(failures.closedTooEarly(index, now - step.start, earliest: earliest))
        }
        if let manner, manner != actual {
            return .failed(failures.wrongClose(index, actual, expected: manner))
        }
        return .done
    }
}
