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
                variables: context.variables,
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
        context.variables = attempt.variables
        if comparisonRounds != nil, !attempt.isInComparison { endComparison() }
        for index in operators.indices { release(index) }
        for index in operators.indices
        where operators[index].generation != attempt.generations[index] {
            shutDown(index)
            let op = operators[index]
            op.connection = .none
            op.generation += 1
            attempts[attempts.count - 1].generations[index] = op.generation
            op.held = []
            op.outgoing.removeAll()
            op.outgoingNext = 0
            op.forgetConnection()
        }
        counter = attempt.begin
        noteLine()
        step = StepState(start: attempt.retryAt ?? now)
    }

    /// Returns the failure with the block, its time limit and the number of attempts added.
    private mutating func ended(_ attempt: AttemptFrame, _ reason: StepFailure) -> StepFailure {
        let tries = attempt.tries == 1 ? "1 attempt" : "\(attempt.tries) attempts"
        let limit = duration(attempt.deadline - attempt.start)
        var failure = reason
        failure.message =
            "\(named(attempt.attempt)) within \(limit) (\(tries)); last failure: \(reason.message)"
        failure.block = reason.block ?? attempt.attempt.origin
        return failure
    }

    private mutating func named(_ attempt: Attempt) -> String {
        switch attempt.kind {
        case .eventually: return "the `eventually` block did not pass"
        case .nameFree(let name):
            guard let bytes = try? renderer.render(name, attempt.origin.range) else {
                return "the name did not become free"
            }
            return "the name \(escapedForDisplay(bytes)) did not become free"
        }
    }

    /// Returns the failure of the step that is still waiting.
    private func waitingFailure() -> StepFailure {
        let waited = now - step.start
        if counter < program.instructions.count {
            switch program.instructions[counter].operation {
            case .expect(let index, .next, let pattern, _),
                .expect(let index, .skip, let pattern, _):
                return timeoutFailure(index, pattern, waited)
            case .oneOf(let choices, _): return choiceTimeout(choices, waited)
            case .anyOrder: return unorderedTimeout(step.open, waited)
            case .closed(let index, _, _): return notClosedFailure(index, waited)
            default: break
            }
        }
        return StepFailure(
            code: "run.timeout",
            message: "the step did not finish within "
                + duration(waited))
    }

    var currentOrigin: Origin? {
        counter < program.instructions.count ? program.instructions[counter].origin : nil
    }
}
