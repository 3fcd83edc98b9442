import DialectModel
import LineProtocol
import Results
import Scenario

/// Probes: a command that a live server always answers. What arrives before the answer belongs to what
/// was sent before the probe.
extension ScenarioSession {
    /// How long an answer is waited for before silence has to do, in nanoseconds.
    static var barrierTimeout: Int64 { 2_000_000_000 }
    /// How long silence must last where it decides, in nanoseconds.
    static var silence: Int64 { 300_000_000 }

    /// Sends a probe. Returns its id, or nil if the dialect has none or nothing can be sent.
    mutating func sendBarrier(_ index: Int) -> Int? {
        let box = operators[index]
        guard let probe = program.probe, box.connection == .open, !box.isHalfClosed
        else { return nil }
        let barrier = Barrier(id: nextBarrier, token: random.word())
        nextBarrier += 1
        setProbeVariables(probe, barrier, index)
        for message in probe.sends {
            guard let parts = try? renderer.render(message) else { return nil }
            queue(parts, index, role: .probe)
        }
        box.barriers.append(barrier)
        // Where lines are kept back to leave together, a probe is the last of them.
        flushHeld(index)
        drainOutgoing()
        return barrier.id
    }

    private mutating func setProbeVariables(_ probe: Probe, _ barrier: Barrier, _ index: Int) {
        if let token = probe.token { context.variables[token] = barrier.token }
        context.variables[program.nameVariable] = operators[index].loginName
    }

    enum BarrierState { case answered, waiting(until: Int64), silent }

    /// Makes sure that the step has a probe under way for the operator, and says how it stands.
    mutating func barrier(_ index: Int) -> BarrierState {
        let box = operators[index]
        guard let entry = step.barriers.first(where: { $0.operatorIndex == index }) else {
            guard box.canReceive else { return .answered }
            let id = sendBarrier(index) ?? 0
            step.barriers.append((index, id, now))
            return .waiting(until: now + (id > 0 ? Self.barrierTimeout : Self.silence))
        }
        if !box.canReceive { return .answered }
        if entry.id > 0, !box.barriers.contains(entry.id) { return .answered }
        if let candidate = box.barriers.undecided.unread.first {
            let until = candidate.time + Self.silence
            guard now >= until else { return .waiting(until: until) }
            decideForProbe(index)
            return barrier(index)
        }
        let until = entry.since + (entry.id > 0 ? Self.barrierTimeout : Self.silence)
        guard now >= until else { return .waiting(until: until) }
        // No answer: silence has to do, and the result says so. The answer may still come.
        isTimingBased = true
        box.barriers.abandon(entry.id)
        return .silent
    }

    // MARK: Answers

    enum BarrierRole { case probe, plain, undecided }

    /// What a line is to the probes under way. Lines that were held back and turn out to be the
    /// scenario's are delivered.
    mutating func barrierRole(of line: ReceivedLine, _ index: Int) -> BarrierRole {
        let box = operators[index]
        guard let probe = program.probe, !line.isUnterminated else { return .plain }
        if let refusal = program.probeRefusal {
            context.variables[program.nameVariable] = box.loginName
            if matcher.mismatch(refusal, line, &context) == nil { return refused(line, index) }
        }
        // Without a word of its own in it, an answer is told by its place only.
        let places =
            probe.isCounted
            ? box.barriers.barriers.indices.prefix(1) : box.barriers.barriers.indices[...]
        for place in places {
            let barrier = box.barriers.barriers[place]
            setProbeVariables(probe, barrier, index)
            guard matcher.mismatch(probe.answers[barrier.next], line, &context) == nil else {
                continue
            }
            release(index)
            _ = box.barriers.advance(at: place, of: probe.answers.count)
            return barrier.sender == .scenario ? .plain : .probe
        }
        return unclaimed(line, index)
    }

    /// What a line is that answers no probe.
    private mutating func unclaimed(_ line: ReceivedLine, _ index: Int) -> BarrierRole {
        let box = operators[index]
        if box.barriers.barriers.first?.sender == .scenario, isRefusal(line, index) {
            box.barriers.remove(at: 0)
        }
        guard box.barriers.undecided.count > 0 else {
            box.barriers.noteAnswer()
            return .plain
        }
        box.barriers.undecided.append(line)
        if box.barriers.undecided.count > BarrierQueue.undecidedMax
            || box.barriers.undecided.byteCount > BarrierQueue.undecidedBytesMax
        {
            decideForProbe(index)
        }
        return .undecided
    }

    /// What a line is that can be the answer to a probe before login, or to another line.
    private mutating func refused(_ line: ReceivedLine, _ index: Int) -> BarrierRole {
        let box = operators[index]
        if box.barriers.undecided.count > 0 {
            // Of two refusals the earlier one answers what was sent earlier.
            box.barriers.noteRefusal()
            release(index)
        }
        switch box.barriers.ownerOfRefusal {
        case .scenario:
            box.barriers.noteRefusal()
            return .plain
        case .probe(let place):
            box.barriers.remove(at: place)
            return .probe
        case .undecided:
            box.barriers.undecided.append(line)
            return .undecided
        }
    }

    /// Takes the refusal that is held back for the probe's answer, since no other has come.
    private mutating func decideForProbe(_ index: Int) {
        let box = operators[index]
        guard let candidate = box.barriers.undecided.takeFirst() else { return }
        isTimingBased = true
        recorder.setRole(.probe, of: candidate.entry)
        if let place = box.barriers.barriers.firstIndex(where: { $0.sender != .scenario }) {
            box.barriers.remove(at: place)
        }
        release(index)
    }

    /// Delivers what was held back.
    mutating func release(_ index: Int) {
        while let line = operators[index].barriers.undecided.takeFirst() { deliver(line, index) }
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
            box.barriers.noteLine()
            if probe.isCounted, matcher.verb(framer.buffer, frame.line) == probeVerb(probe, index) {
                box.barriers.append(Barrier(id: 0, token: [], sender: .scenario))
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
