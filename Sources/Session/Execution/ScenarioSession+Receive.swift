import DialectModel
import Diagnostics
import LineProtocol
import Results
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
            if box.isFlooded(options.limits) {
                finish(floodFailure(box))
                return
            }
            advance()
        }
    }

    private func floodFailure(_ box: SimulatedOperator) -> StepFailure {
        let isTwins = box.outcome.count > box.inbox.count
        let lines = isTwins ? box.outcome : box.inbox
        let what = isTwins ? "in one round of twins" : "that no step has taken"
        return StepFailure(
            code: "run.flooded",
            message: "\(box.name) has received \(lines.count) lines of \(lines.byteCount) bytes "
                + "\(what): more than \(options.limits.inboxLinesMax) lines or "
                + "\(options.limits.inboxBytesMax) bytes are not kept",
            notes: [
                DiagnosticNote(.help, "lines that do not matter are passed over with ignore")
            ])
    }

    private mutating func takeLine(_ line: ReceivedLine, _ index: Int) {
        var line = line
        line.entry = recorder.record(
            .received, operators[index].name, at: now, line.bytes, terminator: line.terminator,
            payload: line.payload)
        switch barrierRole(of: line, index) {
        case .probe: recorder.setRole(.probe, of: line.entry)
        case .plain: deliver(line, index)
        case .undecided: break
        }
    }

    /// Hands a line to the standing rules, and if they leave it, to the expectations.
    mutating func deliver(_ line: ReceivedLine, _ index: Int) {
        let box = operators[index]
        var line = line
        if followsStandingRule(&line, index) {
            box.passedOver.add(line)
            return
        }
        if twins != nil, !line.isUnasked { box.outcome.append(line) }
        box.inbox.append(line)
    }

    /// Whether a standing rule takes the line: it is then answered or passed over.
    private mutating func followsStandingRule(_ line: inout ReceivedLine, _ index: Int) -> Bool {
        context.variables[program.nameVariable] = operators[index].loginName
        // The newest rule first: the scenario's come after the dialect's.
        for rule in standing.reversed()
        where rule.operatorIndex == nil || rule.operatorIndex == index {
            // A line without an end is no line: nothing answers it.
            if line.isUnterminated, rule.reply != nil { continue }
            guard matcher.mismatch(rule.pattern, line, &context) == nil else { continue }
            let captures = context.captures
            guard let reply = rule.reply else {
                recorder.setRole(.ignored, of: line.entry)
                line.isUnasked = rule.isDialects
                return !rule.isDialects
            }
            recorder.setRole(.standing, of: line.entry)
            answer(rule, reply, line, captures, index)
            return true
        }
        return false
    }

    /// Sends a standing reply. What the pattern captured holds for the reply only.
    private mutating func answer(
        _ rule: StandingRule, _ reply: MessageTemplate, _ line: ReceivedLine,
        _ captures: [Capture], _ index: Int
    ) {
        let box = operators[index]
        // Nothing can be answered on a connection whose direction has ended.
        guard box.connection == .open, !box.isHalfClosed else { return }
        let saved = context.variables
        context.variables.set(captures)
        let renderer = renderer
        context.variables = saved
        do {
            queue(try renderer.render(reply), index, role: .standing)
            flushHeld(index)
            drainOutgoing()
            guard box.outgoing.count - box.outgoingNext > options.limits.outgoingMax else {
                return
            }
            standingFailure = StepFailure(
                code: "run.flooded",
                message: "more than \(options.limits.outgoingMax) pieces of standing replies "
                    + "wait to be sent for \(box.name)",
                label: received(line), origin: rule.origin)
        } catch {
            var failure = StepFailure(error)
            failure.message = "the standing reply cannot be sent: " + failure.message
            failure.label = received(line)
            failure.origin = rule.origin
            standingFailure = failure
        }
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
        fail(failure)
    }

    mutating func closedByPeer(_ index: Int, _ manner: ClosingManner) {
        let box = operators[index]
        if let rest = box.framer.finish() {
            takeLine(ReceivedLine(rest, in: box.framer.buffer.span, at: now), index)
        }
        release(index)
        recorder.record(
            manner == .fin ? .closedByPeer : .resetByPeer, box.name, at: now)
        box.connection = .closedByPeer(manner)
        // Nothing that waits can be sent any more.
        box.outgoing.removeAll()
        box.outgoingNext = 0
    }
}
