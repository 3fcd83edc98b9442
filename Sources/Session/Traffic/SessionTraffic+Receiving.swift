import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Assigns received lines to probes, standing rules and inboxes.
extension SessionTraffic {
    /// Processes the next complete line that an operator has received. Returns false if there is
    /// none.
    mutating func takeLine(_ index: Int) -> Bool {
        let op = operators[index]
        guard let frame = op.framer.next() else { return false }
        op.sent?.recordFromOtherSide(frame, in: op.framer.buffer.span)
        takeLine(ReceivedLine(frame, in: op.framer.buffer.span, at: now), index)
        return true
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
            op.lines.skip(line)
            return
        }
        op.lines.append(line)
    }

    /// Applies the newest standing rule that matches the line. Returns true if expectations must
    /// not see the line; a dialect's `ignore` rule only marks it as unsolicited.
    private mutating func followsStandingRule(_ line: inout ReceivedLine, _ index: Int) -> Bool {
        bindings.select(index)
        // Try the newest rules first. This puts the scenario's rules before the dialect's.
        for rule in standing.reversed()
        where rule.operatorIndex == nil || rule.operatorIndex == index {
            // Do not reply to an unterminated line.
            if line.isUnterminated, rule.reply != nil { continue }
            guard bindings.mismatch(rule.pattern, line) == nil else { continue }
            guard let reply = rule.reply else {
                recorder.setRole(.ignored, of: line.entry)
                line.isUnsolicited = rule.isDialects
                return !rule.isDialects
            }
            recorder.setRole(.standing, of: line.entry)
            answer(rule, reply, line, index)
            return true
        }
        return false
    }

    /// Sends the reply of a standing rule to the line that it matched.
    private mutating func answer(
        _ rule: StandingRule, _ reply: MessageTemplate, _ line: ReceivedLine, _ index: Int
    ) {
        let op = operators[index]
        // No reply can be sent if the sending direction is already closed.
        guard op.connection == .open, !op.isHalfClosed else { return }
        do {
            queue(try bindings.renderReply(reply), index, role: .standing)
            flushHeld(index)
            drainOutgoing()
            guard op.outgoing.count > options.limits.outgoingMax else { return }
            replyFailure = ReplyFailure(
                reason: .flooded(operatorIndex: index), line: line, rule: rule.origin)
        } catch {
            replyFailure = ReplyFailure(reason: .unrenderable(error), line: line, rule: rule.origin)
        }
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
    }
}

/// The failure to send the reply of a standing rule.
struct ReplyFailure {
    /// The reason the reply could not be sent.
    enum Reason {
        /// Too many unsent writes are queued for the operator.
        case flooded(operatorIndex: Int)
        case unrenderable(RenderingError)
    }

    var reason: Reason
    /// The line that the rule matched.
    var line: ReceivedLine
    /// Origin of the rule; nil for a dialect rule.
    var rule: Origin?
}
