import DialectModel
import LineProtocol

/// A probe under way: what is received before its answer belongs to what was sent before it.
struct Barrier {
    /// Who sent the probe.
    enum Sender {
        /// The session, for a step.
        case session
        /// The session, for a step that has gone on without the answer.
        case abandoned
        /// The scenario itself, in the same words: the answer is a line like any other.
        case scenario
    }

    var id: Int
    var token: [UInt8]
    var sender = Sender.session
    /// The next of the probe's answers.
    var next = 0
    /// How many of the scenario's lines between the probe before and this one may still be refused.
    var refusable = 0
}

/// The probes of one connection whose answers have not come, in the order in which they were sent: a
/// server answers in that order.
struct BarrierQueue {
    /// The most lines, and bytes, that are held back while it is undecided whose a refusal is.
    static let undecidedMax = 1_000
    static let undecidedBytesMax = 1 << 20

    private(set) var barriers: [Barrier] = []
    /// A refusal that may be the probe's answer or that of an earlier line of the scenario, and what has
    /// come after it.
    var undecided = Inbox()
    /// How many of the scenario's lines after the last probe may still be refused.
    private var refusable = 0
    /// Whether the scenario has sent a line since one came that refuses nothing.
    private var hasNewLine = false

    func contains(_ id: Int) -> Bool { barriers.contains { $0.id == id } }

    mutating func append(_ barrier: Barrier) {
        // What is this old is answered no more.
        if barriers.count >= SimulatedOperator.fencesMax { barriers.removeFirst() }
        var barrier = barrier
        if barrier.sender != .scenario {
            barrier.refusable = refusable
            refusable = 0
        }
        barriers.append(barrier)
    }

    mutating func remove(at place: Int) { barriers.remove(at: place) }

    mutating func abandon(_ id: Int) {
        for place in barriers.indices where barriers[place].id == id {
            barriers[place].sender = .abandoned
        }
    }

    /// Notes one more line of the probe's answer. Returns whether it was the last.
    mutating func advance(at place: Int, of count: Int) -> Bool {
        barriers[place].next += 1
        guard barriers[place].next >= count else { return false }
        // A server answers in order: what was sent before this probe is refused no more.
        for earlier in 0...place { barriers[earlier].refusable = 0 }
        barriers.remove(at: place)
        return true
    }

    // MARK: Whose refusal it is

    /// The scenario has sent a line, which the server may refuse.
    mutating func noteLine() {
        refusable += 1
        hasNewLine = true
    }

    /// A line has come that refuses nothing: it answers one of the scenario's lines. Further ones may
    /// belong to the same answer, so that only the first counts.
    mutating func noteAnswer() {
        guard hasNewLine else { return }
        hasNewLine = false
        noteRefusal()
    }

    /// One of the scenario's lines has been answered, the earliest first.
    mutating func noteRefusal() {
        if let place = barriers.firstIndex(where: { $0.refusable > 0 }) {
            barriers[place].refusable -= 1
        } else {
            refusable = max(0, refusable - 1)
        }
    }

    enum RefusalOwner { case scenario, probe(Int), undecided }

    /// Whose answer a refusal is: what was sent first is answered first.
    var ownerOfRefusal: RefusalOwner {
        guard let place = barriers.firstIndex(where: { $0.sender != .scenario }) else {
            return .scenario
        }
        let own = barriers.reduce(refusable) { $0 + $1.refusable }
        if own == 0 { return .probe(place) }
        if barriers[place].sender == .abandoned { return .scenario }
        return barriers[place].refusable == 0 ? .probe(place) : .undecided
    }
}
