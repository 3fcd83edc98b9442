import DialectModel
import LineProtocol
import Results
import Scenario

/// Probes: commands that a working server always answers. Lines that arrive before the answer to a
/// probe are responses to lines sent before the probe.
extension SessionTraffic {
    /// Sends a probe and returns its ID. Returns nil if the dialect has no probe or nothing can be
    /// sent.
    mutating func sendProbe(_ index: Int) -> Int? {
        let op = operators[index]
        guard let probe = program.probe, op.connection == .open, !op.isHalfClosed
        else { return nil }
        let barrier = Barrier(id: nextProbeID, token: random.word())
        nextProbeID += 1
        setProbeVariables(probe, barrier, index)
        for message in probe.sends {
            guard let parts = try? bindings.render(message) else { return nil }
            queue(parts, index, role: .probe)
        }
        op.barriers.append(barrier)
        // The lines held back until now are sent together, with the probe at the end.
        flushHeld(index)
        drainOutgoing()
        return barrier.id
    }

    private mutating func setProbeVariables(_ probe: Probe, _ barrier: Barrier, _ index: Int) {
        if let token = probe.token { bindings[token] = barrier.token }
        bindings.select(index)
    }

    // MARK: Answers

    /// Role of a received line: the answer to a pending probe, ordinary, or undecided so far.
    enum BarrierRole { case probe, plain, undecided }

    /// Determines how a line relates to the pending probes. Delivers lines that were held back if
    /// they turn out to answer the scenario.
    mutating func barrierRole(of line: ReceivedLine, _ index: Int) -> BarrierRole {
        let op = operators[index]
        guard let probe = program.probe, !line.isUnterminated else { return .plain }
        if let refusal = program.probeRefusal {
            bindings.select(index)
            if bindings.mismatch(refusal, line) == nil { return refused(line, index) }
        }
        // If answers contain no token, only their order shows which probe they answer.
        let candidates =
            probe.isCounted
            ? op.barriers.barriers.indices.prefix(1) : op.barriers.barriers.indices[...]
        for position in candidates {
            let barrier = op.barriers.barriers[position]
            setProbeVariables(probe, barrier, index)
            guard bindings.mismatch(probe.answers[barrier.next], line) == nil else {
                continue
            }
            release(index)
            _ = op.barriers.advance(at: position, of: probe.answers.count)
            return barrier.sender == .scenario ? .plain : .probe
        }
        return unclaimed(line, index)
    }

    /// Determines how to handle a line that does not answer a probe.
    private mutating func unclaimed(_ line: ReceivedLine, _ index: Int) -> BarrierRole {
        let op = operators[index]
        if op.barriers.barriers.first?.sender == .scenario, bindings.isRefusal(line, index) {
            op.barriers.remove(at: 0)
        }
        guard op.barriers.undecided.count > 0 else {
            op.barriers.noteAnswer()
            return .plain
        }
        op.barriers.undecided.append(line)
        if op.barriers.undecided.count > BarrierQueue.undecidedMax
            || op.barriers.undecided.byteCount > BarrierQueue.undecidedBytesMax
        {
            decideForProbe(index)
        }
        return .undecided
    }

    /// Determines how to handle a refusal, which answers either a probe that was sent before login
    /// or some other line.
    private mutating func refused(_ line: ReceivedLine, _ index: Int) -> BarrierRole {
        let op = operators[index]
        if op.barriers.undecided.count > 0 {
            // If there are two refusals, the first one answers the line that was sent first.
            op.barriers.noteRefusal()
            release(index)
        }
        switch op.barriers.ownerOfRefusal {
        case .scenario:
            op.barriers.noteRefusal()
            return .plain
        case .probe(let position):
            op.barriers.remove(at: position)
            return .probe
        case .undecided:
            op.barriers.undecided.append(line)
            return .undecided
        }
    }

    /// Treats the held-back refusal as the probe's answer, because no other answer has arrived.
    mutating func decideForProbe(_ index: Int) {
        let op = operators[index]
        guard let candidate = op.barriers.undecided.takeFirst() else { return }
        isTimingBased = true
        recorder.setRole(.probe, of: candidate.entry)
        if let position = op.barriers.barriers.firstIndex(where: { $0.sender != .scenario }) {
            op.barriers.remove(at: position)
        }
        release(index)
    }

    /// Delivers the lines that are held back.
    mutating func release(_ index: Int) {
        while let line = operators[index].barriers.undecided.takeFirst() { deliver(line, index) }
    }

    // MARK: Outgoing lines

    /// Tracks the lines that an operator sends, if the meaning of answers depends on them.
    mutating func noteSent(_ bytes: [UInt8], _ index: Int, _ role: TranscriptEntry.Role) {
        let op = operators[index]
        let isCounted = role != .probe && countsSentLines
        guard isCounted || program.dialect.framing.hasConditionalBlocks else { return }
        var framer = op.sent ?? LineFramer(program.dialect, direction: .fromClient)
        framer.append(bytes)
        while let frame = framer.next() {
            op.framer.recordFromOtherSide(frame, in: framer.buffer.span)
            if isCounted, !frame.line.isEmpty || frame.payload != nil {
                count(frame, framer.buffer, index)
            }
        }
        op.sent = framer
    }

    /// True if the scenario's lines must be counted, because only the order of answers shows which
    /// probe they answer, or because the server may refuse probes.
    private var countsSentLines: Bool {
        guard let probe = program.probe else { return false }
        return probe.isCounted || program.probeRefusal != nil
    }

    private mutating func count(_ frame: Frame, _ buffer: [UInt8], _ index: Int) {
        guard let probe = program.probe else { return }
        let op = operators[index]
        op.barriers.noteLine()
        if probe.isCounted, bindings.verb(buffer, frame.line) == probeVerb(probe, index) {
            op.barriers.append(Barrier(id: 0, token: [], sender: .scenario))
        }
    }

    /// Returns the command of the probe's first line.
    private mutating func probeVerb(_ probe: Probe, _ index: Int) -> [UInt8] {
        if let verb = knownProbeVerb { return verb }
        // The request may contain a token even if its answer does not.
        setProbeVariables(probe, Barrier(id: 0, token: [0x78]), index)
        var verb: [UInt8] = []
        if let message = probe.sends.first, let parts = try? bindings.render(message) {
            for case .line(let bytes, let count) in parts.prefix(1) {
                verb = bindings.verb(bytes, 0..<(bytes.count - count))
            }
        }
        knownProbeVerb = verb
        return verb
    }
}
