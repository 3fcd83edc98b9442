import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Processes received bytes before they reach the expectations.
extension ScenarioSession {
    mutating func take(_ bytes: Span<UInt8>, _ index: Int) {
        let op = operators[index]
        op.framer.append(bytes)
        let generation = op.generation
        // Deliver one line at a time, so that each line goes to the step that is active when it
        // arrives, regardless of how the stream was segmented. Lines after a probe's answer must
        // not be treated as if they had arrived before it.
        while result == nil, op.generation == generation, op.connection != .closed,
            let frame = op.framer.next()
        {
            op.sent?.recordFromOtherSide(frame, in: op.framer.buffer.span)
            takeLine(ReceivedLine(frame, in: op.framer.buffer.span, at: now), index)
            if op.isFlooded(options.limits) {
                finish(floodFailure(op))
                return
            }
            advance()
        }
    }

    private func floodFailure(_ op: SimulatedOperator) -> StepFailure {
        let isComparing = op.outcome.count > op.inbox.count
        let lines = isComparing ? op.outcome : op.inbox
        let what = isComparing ? "in one round of a comparison" : "that no step has consumed"
        return StepFailure(
            code: "run.flooded",
            message: "\(op.name) has received \(lines.count) lines (\(lines.byteCount) bytes) "
                + "\(what); the limit is \(options.limits.inboxLinesMax) lines or "
                + "\(options.limits.inboxBytesMax) bytes",
            notes: [
                DiagnosticNote(.help, "discard lines that do not matter with `ignore PATTERN`")
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

    /// Passes a line to the standing rules. If no rule applies, passes it to the expectations.
    mutating func deliver(_ line: ReceivedLine, _ index: Int) {
        let op = operators[index]
        var line = line
        if followsStandingRule(&line, index) {
            op.skippedLines.add(line)
            return
        }
        if comparisonRounds != nil, !line.isUnsolicited { op.outcome.append(line) }
        op.inbox.append(line)
    }

    /// Applies the newest standing rule that matches the line. Returns true if expectations must
    /// not see the line; a dialect's `ignore` rule only marks it as unsolicited.
    private mutating func followsStandingRule(_ line: inout ReceivedLine, _ index: Int) -> Bool {
        context.variables[program.nameVariable] = operators[index].loginName
        // Try the newest rules first. This puts the scenario's rules before the dialect's.
        for rule in standing.reversed()
        where rule.operatorIndex == nil || rule.operatorIndex == index {
            // Do not reply to an unterminated line.
            if line.isUnterminated, rule.reply != nil { continue }
            guard matcher.mismatch(rule.pattern, line, &context) == nil else { continue }
            let captures = context.captures
            guard let reply = rule.reply else {
                recorder.setRole(.ignored, of: line.entry)
                line.isUnsolicited = rule.isDialects
                return !rule.isDialects
            }
            recorder.setRole(.standing, of: line.entry)
            answer(rule, reply, line, captures, index)
            return true
        }
        return false
    }

    /// Sends the reply of a standing rule. Values that the pattern captures are visible only to the
    /// reply.
    private mutating func answer(
        _ rule: StandingRule, _ reply: MessageTemplate, _ line: ReceivedLine,
        _ captures: [Capture], _ index: Int
    ) {
        let op = operators[index]
        // No reply can be sent if the sending direction is already closed.
        guard op.connection == .open, !op.isHalfClosed else { return }
        let saved = context.variables
        context.variables.set(captures)
        let renderer = renderer
        context.variables = saved
        do {
            queue(try renderer.render(reply), index, role: .standing)
            flushHeld(index)
            drainOutgoing()
            guard op.outgoing.count - op.outgoingNext > options.limits.outgoingMax else {
                return
            }
            standingFailure = StepFailure(
                code: "run.flooded",
                message: "more than \(options.limits.outgoingMax) unsent writes are queued "
                    + "for \(op.name) after a standing reply",
                label: received(line), entry: line.entry, origin: rule.origin)
        } catch {
            var failure = StepFailure(error)
            failure.message = "the standing reply cannot be sent: " + failure.message
            failure.label = received(line)
            failure.entry = line.entry
            failure.origin = rule.origin
            standingFailure = failure
        }
    }

    mutating func connected(_ index: Int) {
        let op = operators[index]
        op.connection = .open
        recorder.record(.connected, op.name, at: now)
        // Connecting does not count towards the step's timeout.
        step.start = now
    }

    mutating func connectFailed(_ index: Int, _ reason: String) {
        let name = operators[index].name
        let failure = StepFailure(
            kind: .inconclusive, code: "run.no-connection",
            message: "\(name) cannot connect: \(reason)",
            notes: [
                DiagnosticNote(
                    .help, "check that the server is running and that the address is correct")
            ])
        operators[index].connection = .closed
        fail(failure)
    }

    mutating func closedByPeer(_ index: Int, _ manner: ClosingManner) {
        let op = operators[index]
        if let rest = op.framer.finish() {
            takeLine(ReceivedLine(rest, in: op.framer.buffer.span, at: now), index)
        }
        release(index)
        recorder.record(
            manner == .fin ? .closedByPeer : .resetByPeer, op.name, at: now,
            Array((op.closeReason ?? "").utf8))
        op.connection = .closedByPeer(manner)
        // Queued bytes can no longer be sent.
        op.outgoing.removeAll()
        op.outgoingNext = 0
    }
}
