import LineProtocol
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
            guard case .success(let parts) = render(message, index) else { return nil }
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

    /// Whether the line is the next one that answers the oldest probe under way.
    mutating func answersFence(_ line: ReceivedLine, _ index: Int) -> Bool {
        let box = operators[index]
        guard let probe = program.probe, let fence = box.fences.first else { return false }
        setProbeVariables(probe, fence, index)
        if let refusal = program.probeRefusal,
            matcher.mismatch(refusal, line, &context) == nil
        {
            box.fences.removeFirst()
            return true
        }
        guard matcher.mismatch(probe.answers[fence.next], line, &context) == nil else {
            return false
        }
        box.fences[0].next += 1
        if box.fences[0].next == probe.answers.count { box.fences.removeFirst() }
        return true
    }

    enum FenceState { case answered, waiting(until: Int64), silent }

    /// Makes sure that the step has a probe under way for the operator, and says how it stands.
    mutating func fence(_ index: Int) -> FenceState {
        let box = operators[index]
        if let entry = step.fences.first(where: { $0.operatorIndex == index }) {
            if !box.canReceive { return .answered }
            if entry.id > 0, !box.fences.contains(where: { $0.id == entry.id }) {
                return .answered
            }
            let until = entry.since + (entry.id > 0 ? Self.fencePatience : Self.silence)
            if now >= until {
                // No answer: silence has to do, and the result says so.
                isTimingBased = true
                box.fences.removeAll { $0.id == entry.id }
                return .silent
            }
            return .waiting(until: until)
        }
        guard box.canReceive else { return .answered }
        let id = sendFence(index) ?? 0
        step.fences.append((index, id, now))
        return .waiting(until: now + (id > 0 ? Self.fencePatience : Self.silence))
    }
}
