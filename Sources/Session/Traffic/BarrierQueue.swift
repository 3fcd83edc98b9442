import DialectModel
import LineProtocol

/// A pending probe. Lines received before its answer are the server's responses to lines sent
/// before the probe.
struct Barrier {
    /// What sent a probe, and whether a step still waits for its answer.
    enum Sender {
        /// The session, on behalf of the current step.
        case session
        /// The session, for a step that has since continued without waiting for the answer.
        case abandoned
        /// The scenario: a step sent a line with the probe's command. The answer is delivered like
        /// any other line.
        case scenario
    }

    var id: Int
    var token: [UInt8]
    var sender = Sender.session
    /// Index of the answer line that is expected next.
    var next = 0
    /// Number of scenario lines sent between the previous probe and this one that the server may
    /// still refuse.
    var refusable = 0
}

/// The pending probes of a connection, in the order they were sent. Servers answer them in the same
/// order.
struct BarrierQueue {
    /// Maximum number of lines to hold back until it is clear which line a refusal answers.
    static let undecidedMax = 1_000
    static let undecidedBytesMax = 1 << 20

    private(set) var barriers: [Barrier] = []
    /// A refusal that may answer either a probe or an earlier scenario line, followed by all lines
    /// received after it.
    var undecided = Inbox()
    /// Number of scenario lines sent after the last probe that the server may still refuse.
    private var refusable = 0
    /// True if the scenario has sent a line since the server last answered with a line other than a
    /// refusal.
    private var hasNewLine = false

    func contains(_ id: Int) -> Bool { barriers.contains { $0.id == id } }

    mutating func append(_ barrier: Barrier) {
        // Assume that the oldest probe will no longer be answered.
        if barriers.count >= SimulatedOperator.pendingProbesMax { barriers.removeFirst() }
        var barrier = barrier
        if barrier.sender != .scenario {
            barrier.refusable = refusable
            refusable = 0
        }
        barriers.append(barrier)
    }

    mutating func remove(at index: Int) { barriers.remove(at: index) }

    mutating func abandon(_ id: Int) {
        for index in barriers.indices where barriers[index].id == id {
            barriers[index].sender = .abandoned
        }
    }

    /// Records that a line of a probe's answer has arrived. Returns true if the answer is now
    /// complete.
    mutating func advance(at index: Int, of count: Int) -> Bool {
        barriers[index].next += 1
        guard barriers[index].next >= count else { return false }
        // Servers answer in order, so lines sent before this probe can no longer be refused.
        for earlier in 0...index { barriers[earlier].refusable = 0 }
        barriers.remove(at: index)
        return true
    }

    // MARK: Attributing refusals

    /// Records that the scenario sent a line, which the server may refuse.
    mutating func noteLine() {
        refusable += 1
        hasNewLine = true
    }

    /// Records a line that is not a refusal, and therefore answers a scenario line. Only the first
    /// such line counts, because later lines may belong to the same answer.
    mutating func noteAnswer() {
        guard hasNewLine else { return }
        hasNewLine = false
        noteRefusal()
    }

    /// Records a refusal, which answers the earliest scenario line that has no answer yet.
    mutating func noteRefusal() {
        if let index = barriers.firstIndex(where: { $0.refusable > 0 }) {
            barriers[index].refusable -= 1
        } else {
            refusable = max(0, refusable - 1)
        }
    }

    /// The sender of a refused line.
    enum RefusalOwner { case scenario, probe(Int), undecided }

    /// The sender of the line that the next refusal answers, on the assumption that servers answer
    /// lines in the order they were sent.
    var ownerOfRefusal: RefusalOwner {
        guard let index = barriers.firstIndex(where: { $0.sender != .scenario }) else {
            return .scenario
        }
        let own = barriers.reduce(refusable) { $0 + $1.refusable }
        if own == 0 { return .probe(index) }
        if barriers[index].sender == .abandoned { return .scenario }
        return barriers[index].refusable == 0 ? .probe(index) : .undecided
    }
}
