import LineProtocol

/// When arrivals are due, in nanoseconds from the start: one schedule for all operators, so that no operator
/// needs a timer of its own.
///
/// Times come from the schedule alone. However late the one who asks is, none is left out and none moves:
/// latencies that count from these times cannot hide a server that stood still.
package struct ArrivalSchedule: Sendable {
    /// How arrivals are distributed.
    package enum Pace: String, Sendable, Hashable, CaseIterable {
        /// Evenly.
        case constant
        /// As independent people would: the distances are random (a Poisson process).
        case poisson
    }

    /// One part of a schedule that several share: of the arrivals a, those with a mod count = index.
    package struct Share: Sendable, Hashable {
        package var index: Int
        package var count: Int

        /// The whole, unless said otherwise.
        package init(index: Int = 0, count: Int = 1) {
            self.index = index
            self.count = max(count, 1)
        }
    }

    private var stages: [RateStage]
    private let pace: Pace
    private let quantum: Int64
    private let share: Share
    private var random: SeededRandom
    /// The stage that the next arrival is in, when it begins and how many arrivals were before it.
    private var stage = 0
    private var stageStart: Int64 = 0
    private var stageArrivals = 0.0
    /// How many arrivals have been, of all shares.
    private var number = 0
    /// The place of the next arrival, counted in arrivals from the start.
    private var position = 0.0

    /// When the rate changes next.
    private var changes: [RateChange] = []

    /// The time of the next arrival; nil at the end.
    package private(set) var next: Int64?

    /// A schedule.
    ///
    /// - Parameters:
    ///   - stages: one after another.
    ///   - pace: how arrivals are distributed.
    ///   - quantum: arrivals are due together at multiples of this, which saves a wake for each; 0 is exact.
    ///   - share: which of the arrivals.
    ///   - seed: where chance comes from; the same for all shares.
    package init(
        _ stages: [RateStage], pace: Pace = .constant, quantum: Int64 = 0, share: Share = Share(),
        seed: UInt64 = 1
    ) {
        self.stages = stages
        self.pace = pace
        self.quantum = max(quantum, 0)
        self.share = share
        random = SeededRandom(seed: seed)
        if pace == .poisson { position = random.nextExponential() }
        for _ in 0..<share.index { step() }
        next = time()
    }

    /// How many arrivals all shares have together, as far as that is known beforehand.
    package static func arrivals(_ stages: [RateStage]) -> Double {
        stages.reduce(0) { $0 + $1.arrivals }
    }

    /// Takes the next arrival.
    package mutating func advance() {
        for _ in 0..<share.count { step() }
        next = time()
    }

    /// From a time on that no arrival has reached yet, the rate is another one.
    package mutating func change(_ change: RateChange) {
        changes.append(change)
        if let next, next >= change.time { self.next = time() }
    }

    /// The change's time has come: what was counted before it no longer counts.
    private mutating func carryOut(_ change: RateChange) {
        let rest = Array(stages[min(stage, stages.count)...])
        stages = RateStage.cut(rest, at: change.time - stageStart).after
            .map { $0.scaled(by: change.factor) }
        (stage, stageStart, stageArrivals, number) = (0, change.time, 0, 0)
        position = pace == .poisson ? random.nextExponential() : 0
        for _ in 0..<share.index { step() }
    }

    private mutating func step() {
        number += 1
        position = pace == .poisson ? position + random.nextExponential() : Double(number)
    }

    private mutating func time() -> Int64? {
        while stage < stages.count, position - stageArrivals >= stages[stage].arrivals {
            stageArrivals += stages[stage].arrivals
            stageStart += stages[stage].duration
            stage += 1
        }
        guard stage < stages.count else { return nil }
        let exact = stageStart + stages[stage].time(of: position - stageArrivals)
        if let change = changes.first, exact >= change.time {
            changes.removeFirst()
            while stage > 0, stageStart > change.time {
                stage -= 1
                stageStart -= stages[stage].duration
            }
            carryOut(change)
            return time()
        }
        return quantum > 0 ? exact / quantum * quantum : exact
    }
}
