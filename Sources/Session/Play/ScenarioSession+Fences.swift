import DialectModel
import LineProtocol
import Results
import Scenario

/// Probes: a command that a live server always answers. What arrives before the answer belongs to what
/// was sent before the probe.
extension ScenarioSession {
    /// How long an answer is waited for before silence has to do, in nanoseconds.
    static var fencePatience: Int64 { 2_000_000_000 }
    /// How long silence must last where it decides, in nanoseconds.
    static var silence: Int64 { 300_000_000 }

    /// Sends a probe. Returns its id, or nil if the dialect has none or nothing can be sent.
    mutating func sendFence(_ index: Int) -> Int? {
        let box = operators[index]
        guard let probe = program.probe, box.connection == .open, !box.isHalfClosed
        else { return nil }
        let fence = Fence(id: nextFence, token: random.word())
        nextFence += 1
        setProbeVariables(probe, fence, index)
        for message in probe.sends {
            guard let parts = try? renderer.render(message) else { return nil }
            queue(parts, index, role: .probe)
        }
        box.fences.append(fence)
        // Where lines are kept back to leave together, a probe is the last of them.
        flushHeld(index)
        drainOutgoing()
        return fence.id
    }

    private mutating func setProbeVariables(_ probe: Probe, _ fence: Fence, _ index: Int) {
        if let token = probe.token { context.variables[token] = fence.token }
        context.variables[program.nameVariable] = operators[index].loginName
    }

    enum FenceState { case answered, waiting(until: Int64), silent }

    /// Makes sure that the step has a probe under way for the operator, and says how it stands.
    mutating func fence(_ index: Int) -> FenceState {
        let box = operators[index]
        guard let entry = step.fences.first(where: { $0.operatorIndex == index }) else {
            guard box.canReceive else { return .answered }
            let id = sendFence(index) ?? 0
            step.fences.append((index, id, now))
            return .waiting(until: now + (id > 0 ? Self.fencePatience : Self.silence))
        }
        if !box.canReceive { return .answered }
        if entry.id > 0, !box.fences.contains(entry.id) { return .answered }
        if let candidate = box.fences.undecided.unread.first {
            let until = candidate.time + Self.silence
            guard now >= until else { return .waiting(until: until) }
            decideForProbe(index)
            return fence(index)
        }
        let until = entry.since + (entry.id > 0 ? Self.fencePatience : Self.silence)
        guard now >= until else { return .waiting(until: until) }
        // No answer: silence has to do, and the result says so. The answer may still come.
        isTimingBased = true
        box.fences.abandon(entry.id)
        return .silent
    }

    // MARK: Answers

    enum FenceRole { case probe, plain, undecided }

    /// What a line is to the probes under way. Lines that were held back and turn out to be the
    /// scenario's are delivered.
    mutating func fenceRole(of line: ReceivedLine, _ index: Int) -> FenceRole {
        let box = operators[index]
        guard let probe = program.probe, !line.isUnterminated else { return .plain }
        if let refusal = program.probeRefusal {
            context.variables[program.nameVariable] = box.loginName
            if matcher.mismatch(refusal, line, &context) == nil { return refused(line, index) }
        }
        // Without a word of its own in it, an answer is told by its place only.
        let places =
            probe.isCounted ? box.fences.fences.indices.prefix(1) : box.fences.fences.indices[...]
        for place in places {
            let fence = box.fences.fences[place]
            setProbeVariables(probe, fence, index)
            guard matcher.mismatch(probe.answers[fence.next], line, &context) == nil else {
                continue
            }
            release(index)
            _ = box.fences.advance(at: place, of: probe.answers.count)
            return fence.sender == .scenario ? .plain : .probe
        }
        return unclaimed(line, index)
    }

    /// What a line is that answers no probe.
    private mutating func unclaimed(_ line: ReceivedLine, _ index: Int) -> FenceRole {
        let box = operators[index]
        if box.fences.fences.first?.sender == .scenario, isRefusal(line, index) {
            box.fences.remove(at: 0)
        }
        guard box.fences.undecided.count > 0 else {
            box.fences.noteAnswer()
            return .plain
        }
        box.fences.undecided.append(line)
        if box.fences.undecided.count > FenceQueue.undecidedMax
            || box.fences.undecided.byteCount > FenceQueue.undecidedBytesMax
        {
            decideForProbe(index)
        }
        return .undecided
    }

    /// What a line is that can be the answer to a probe before login, or to another line.
    private mutating func refused(_ line: ReceivedLine, _ index: Int) -> FenceRole {
        let box = operators[index]
        if box.fences.undecided.count > 0 {
            // Of two refusals the earlier one answers what was sent earlier.
            box.fences.noteRefusal()
            release(index)
        }
        switch box.fences.ownerOfRefusal {
        case .scenario:
            box.fences.noteRefusal()
            return .plain
        case .probe(let place):
            box.fences.remove(at: place)
            return .probe
        case .undecided:
            box.fences.undecided.append(line)
            return .undecided
        }
    }

    /// Takes the refusal that is held back for the probe's answer, since no other has come.
    private mutating func decideForProbe(_ index: Int) {
        let box = operators[index]
        guard let candidate = box.fences.undecided.takeFirst() else { return }
        isTimingBased = true
        recorder.setRole(.probe, of: candidate.entry)
        if let place = box.fences.fences.firstIndex(where: { $0.sender != .scenario }) {
            box.fences.remove(at: place)
        }
        release(index)
    }

    /// Delivers what was held back.
    mutating func release(_ index: Int) {
        while let line = operators[index].fences.undecided.takeFirst() { deliver(line, index) }
    }

    // MARK: What the scenario sends

    /// Keeps count of the scenario's own lines, where a probe's answer is told by its place.
    mutating func noteSent(_ bytes: [UInt8], _ index: Int) {
        guard let probe = program.probe, probe.isCounted || program.probeRefusal != nil else {
            return
        }
        let box = operators[index]
        var framer = box.sent ?? LineFramer(program.dialect, direction: .fromClient)
        framer.append(bytes)
        while let frame = framer.next() {
            if frame.line.isEmpty { continue }
            box.fences.noteLine()
            if probe.isCounted, matcher.verb(framer.buffer, frame.line) == probeVerb(probe, index) {
                box.fences.append(Fence(id: 0, token: [], sender: .scenario))
            }
        }
        box.sent = framer
    }

    /// The command of the probe's first line.
    private mutating func probeVerb(_ probe: Probe, _ index: Int) -> [UInt8] {
        if let verb = knownProbeVerb { return verb }
        var verb: [UInt8] = []
        if let message = probe.sends.first, let parts = try? renderer.render(message) {
            for case .line(let bytes, let count) in parts.prefix(1) {
                verb = matcher.verb(bytes, 0..<(bytes.count - count))
            }
        }
        knownProbeVerb = verb
        return verb
    }
}
