import DialectModel

/// The probes sent for the current step, one per operator. Without an answer, silence decides.
struct StepProbes {
    /// The state of an operator's probe.
    enum State { case answered, waiting(until: Int64), silent }

    /// Maximum time to wait for the answer to a probe before continuing without it, in nanoseconds.
    static var answerTimeout: Int64 { 2_000_000_000 }
    /// Duration of silence that counts as the answer to a probe, in nanoseconds.
    static var silence: Int64 { 300_000_000 }

    /// The probes. An ID of 0 means that nothing was sent.
    private var sent: [(operatorIndex: Int, id: Int, since: Int64)] = []

    /// Sends a probe for an operator unless one has already been sent. Returns the state of the
    /// probe.
    mutating func state(of index: Int, in traffic: inout SessionTraffic) -> State {
        let op = traffic.operators[index]
        guard op.canReceive else { return .answered }
        guard let probe = sent.first(where: { $0.operatorIndex == index }) else {
            let id = traffic.sendProbe(index) ?? 0
            sent.append((index, id, traffic.now))
            return .waiting(until: traffic.now + Self.limit(id))
        }
        if probe.id > 0, !op.barriers.contains(probe.id) { return .answered }
        if let candidate = op.barriers.undecided.unread.first {
            let until = candidate.time + Self.silence
            guard traffic.now >= until else { return .waiting(until: until) }
            traffic.decideForProbe(index)
            return state(of: index, in: &traffic)
        }
        let until = probe.since + Self.limit(probe.id)
        guard traffic.now >= until else { return .waiting(until: until) }
        // The outcome is marked as timing-based. The answer may still arrive later.
        traffic.isTimingBased = true
        op.barriers.abandon(probe.id)
        return .silent
    }

    private static func limit(_ id: Int) -> Int64 { id > 0 ? answerTimeout : silence }
}
