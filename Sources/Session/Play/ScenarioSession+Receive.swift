import Diagnostics
import LineProtocol
import Scenario

/// What arrives, before any expectation sees it.
extension ScenarioSession {
    mutating func take(_ bytes: Span<UInt8>, _ index: Int) {
        let box = operators[index]
        box.framer.append(bytes)
        let generation = box.generation
        // Each line is seen by the step that is under way when it comes, however it was cut from the
        // stream: what follows a probe's answer in the same read does not belong to what came before.
        while result == nil, box.generation == generation, box.connection != .closed,
            let frame = box.framer.next()
        {
            takeLine(ReceivedLine(frame, in: box.framer.buffer.span, at: now), index)
            guard box.inbox.count - box.inboxStart < SimulatedOperator.inboxMax else {
                finish(
                    StepFailure(
                        code: "run.flooded",
                        message: "\(box.name) has received more than "
                            + "\(SimulatedOperator.inboxMax) lines that no step expects"))
                return
            }
            advance()
        }
    }

    private mutating func takeLine(_ line: ReceivedLine, _ index: Int) {
        let box = operators[index]
        recorder.record(
            .received, box.name, at: now, line.bytes, terminator: line.terminator,
            payload: line.payload)
        if answersFence(line, index) {
            recorder.setLastRole(.probe)
            return
        }
        var line = line
        if followsStandingRule(&line, index) { return }
        if twins != nil, !line.isUnasked { box.outcome.append(line) }
        box.inbox.append(line)
    }

    /// Whether a standing rule takes the line: it is then answered or passed over.
    private mutating func followsStandingRule(_ line: inout ReceivedLine, _ index: Int) -> Bool {
        context.variables[program.nameVariable] = operators[index].loginName
        // The newest rule first: the scenario's come after the dialect's.
        for rule in standing.reversed()
        where rule.operatorIndex == nil || rule.operatorIndex == index {
            guard matcher.mismatch(rule.pattern, line, &context) == nil else { continue }
            let captures = context.captures
            guard let reply = rule.reply else {
                recorder.setLastRole(.ignored)
                line.isUnasked = rule.isDialects
                return !rule.isDialects
            }
            recorder.setLastRole(.standing)
            answer(reply, captures, index)
            return true
        }
        return false
    }

    /// Sends a standing reply. What the pattern captured holds for the reply only.
    private mutating func answer(_ reply: MessageTemplate, _ captures: [Capture], _ index: Int) {
        let saved = context.variables
        context.variables.set(captures)
        if case .success(let parts) = render(reply, index) {
            queue(parts, index, role: .standing)
            flushHeld(index)
            drainOutgoing()
        }
        context.variables = saved
    }

    mutating func connected(_ index: Int) {
        let box = operators[index]
        box.connection = .open
        recorder.record(.connected, box.name, at: now)
        // Making the connection is no part of a step's wait.
        step.start = now
    }

    mutating func connectFailed(_ index: Int, _ reason: String) {
        let name = operators[index].name
        let failure = StepFailure(
            kind: .inconclusive, code: "run.no-connection",
            message: "\(name) cannot connect: \(reason)",
            notes: [
                DiagnosticNote(.help, "is the server running, and is this its address?")
            ])
        operators[index].connection = .closed
        if !tryAgain(after: failure) { finish(failure) }
    }

    mutating func closedByPeer(_ index: Int, _ manner: ClosingManner) {
        let box = operators[index]
        if let rest = box.framer.finish() {
            takeLine(ReceivedLine(rest, in: box.framer.buffer.span, at: now), index)
        }
        recorder.record(
            manner == .fin ? .closedByPeer : .resetByPeer, box.name, at: now)
        box.connection = .closedByPeer(manner)
        // Nothing that waits can be sent any more.
        box.outgoing.removeAll()
        box.outgoingNext = 0
    }
}
