import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Blocks that are tried again until they pass.
extension ScenarioSession {
    /// The wait before the second try of `eventually`, in nanoseconds; each further one is twice as long.
    static var firstRetryWait: Int64 { 50_000_000 }
    static var retryWaitMax: Int64 { 1_000_000_000 }

    mutating func begin(_ attempt: Attempt) {
        attempts.append(
            AttemptFrame(
                attempt: attempt, begin: counter + 1, start: step.start,
                deadline: step.start + (attempt.window.latest ?? stepTimeout),
                isInTwins: twins != nil, loopDepth: loops.count, variables: context.variables,
                generations: operators.map(\.generation)))
    }

    /// Starts the innermost block anew that has time left. Returns false if there is none; the failure
    /// then tells of the blocks that it ended.
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

    /// Ends the blocks whose time is over while a step of theirs still waits, and says why.
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
        if twins != nil, !attempt.isInTwins { endTwins() }
        for index in operators.indices { release(index) }
        for index in operators.indices
        where operators[index].generation != attempt.generations[index] {
            shutDown(index)
            let box = operators[index]
            box.connection = .none
            box.generation += 1
            attempts[attempts.count - 1].generations[index] = box.generation
            box.held = []
            box.outgoing.removeAll()
            box.outgoingNext = 0
            box.forgetConnection()
        }
        counter = attempt.begin
        noteLine()
        step = StepState(start: attempt.retryAt ?? now)
    }

    /// The failure of a block: which, how long and how often it was tried, and the last reason.
    private mutating func ended(_ attempt: AttemptFrame, _ reason: StepFailure) -> StepFailure {
        let tries = attempt.tries == 1 ? "1 try" : "\(attempt.tries) tries"
        let limit = duration(attempt.deadline - attempt.start)
        var failure = reason
        failure.message =
            "\(named(attempt.attempt)) within \(limit), in \(tries); the last: \(reason.message)"
        failure.block = reason.block ?? attempt.attempt.origin
        return failure
    }

    private mutating func named(_ attempt: Attempt) -> String {
        switch attempt.kind {
        case .eventually: return "what eventually must pass did not"
        case .nameFree(let name):
            guard let bytes = try? renderer.render(name, attempt.origin.range) else {
                return "the name did not become free"
            }
            return "the name \(escapedForDisplay(bytes)) did not become free"
        }
    }

    /// What the step that is under way still waits for.
    private func waitingFailure() -> StepFailure {
        let waited = now - step.start
        if counter < program.instructions.count {
            switch program.instructions[counter].operation {
            case .expect(let index, .next, let pattern, _),
                .expect(let index, .skip, let pattern, _):
                return timeoutFailure(index, pattern, waited)
            case .anyOrder: return unorderedTimeout(step.open, waited)
            case .closed(let index, _, _): return notClosedFailure(index, waited)
            default: break
            }
        }
        return StepFailure(
            code: "run.timeout",
            message: "this step did not come to its end within "
                + duration(waited))
    }

    var currentOrigin: Origin? {
        counter < program.instructions.count ? program.instructions[counter].origin : nil
    }
}
