import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Blocks that are retried until they pass.
extension ScenarioSession {
    /// Nanoseconds before the second attempt at a block; doubled each time, up to `retryWaitMax`.
    static var firstRetryWait: Int64 { 50_000_000 }
    static var retryWaitMax: Int64 { 1_000_000_000 }

    mutating func begin(_ attempt: Attempt) {
        attempts.append(
            AttemptFrame(
                attempt: attempt, begin: counter + 1, start: step.start,
                deadline: step.start + (attempt.window.latest ?? stepTimeout),
                isInComparison: comparisonRounds != nil, loopDepth: loops.count,
                variables: traffic.bindings.variables,
                generations: operators.map(\.generation)))
    }

    /// Restarts the innermost block that has time left, and returns true. Adds each block that has
    /// timed out to `failure`. Returns false if no block has time left.
    mutating func tryAgain(after failure: inout StepFailure) -> Bool {
        if failure.origin == nil { failure.origin = currentOrigin }
        while var attempt = attempts.last {
            attempt.tries += 1
            let wait = min(
                Self.firstRetryWait << Int64(min(attempt.tries - 1, 10)), Self.retryWaitMax)
            if now + wait < attempt.deadline {
                attempt.failure = failure
                attempt.retryAt = now + wait
                attempts[attempts.count - 1] = attempt
                restart(attempt)
                return true
            }
            attempts.removeLast()
            failure = ended(attempt, failure)
        }
        return false
    }

    /// Ends the blocks that timed out while one of their steps was waiting. Returns the resulting
    /// failure.
    mutating func expireAttempts() -> StepFailure {
        var reason = attempts.last?.failure ?? waitingFailure()
        if reason.origin == nil { reason.origin = currentOrigin }
        guard let first = attempts.firstIndex(where: { now >= $0.deadline }) else { return reason }
        var attempt = attempts[first]
        attempt.tries += 1
        attempts.removeSubrange(first...)
        return ended(attempt, reason)
    }

    private mutating func restart(_ attempt: AttemptFrame) {
        loops.removeLast(max(0, loops.count - attempt.loopDepth))
        traffic.bindings.variables = attempt.variables
        if comparisonRounds != nil, !attempt.isInComparison { endComparison() }
        for index in operators.indices { traffic.release(index) }
        for index in operators.indices
        where operators[index].generation != attempt.generations[index] {
            traffic.reset(index)
            attempts[attempts.count - 1].generations[index] = operators[index].generation
        }
        counter = attempt.begin
        noteLine()
        step = StepState(start: attempt.retryAt ?? now)
    }

    private func ended(_ frame: AttemptFrame, _ reason: StepFailure) -> StepFailure {
        var name: [UInt8]?
        if case .nameFree(let template) = frame.attempt.kind {
            name = try? traffic.bindings.render(template, frame.attempt.origin.range)
        }
        return failures.ended(
            frame.attempt, name: name, tries: frame.tries, limit: frame.deadline - frame.start,
            reason)
    }

    /// Returns the failure of the step that is still waiting.
    private func waitingFailure() -> StepFailure {
        let waited = now - step.start
        if counter < program.instructions.count {
            switch program.instructions[counter].operation {
            case .expect(let index, .next, let pattern, _),
                .expect(let index, .skip, let pattern, _):
                return failures.timeout(index, pattern, waited)
            case .oneOf(let choices, _): return failures.choiceTimeout(choices, waited)
            case .anyOrder: return failures.unorderedTimeout(step.open, waited, pending: step.open)
            case .closed(let index, _, _): return failures.notClosed(index, waited)
            default: break
            }
        }
        return StepFailure(
            code: "run.timeout", message: "the step did not finish within " + duration(waited))
    }
}
