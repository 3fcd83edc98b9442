import LineProtocol

/// Due times of arrivals, in nanoseconds from the start. An arrival is an action that some operator
/// must perform at a given time. All operators share one schedule, so none needs a timer of its
/// own.
///
/// Due times depend only on the schedule: no arrival is dropped or moved, no matter how late the
/// caller is. Latency measured from the due time therefore includes every stall of the server (no
/// coordinated omission).
package struct ArrivalSchedule: Sendable {
    /// Distribution of arrivals over time.
    package enum Pace: String, Sendable, Hashable, CaseIterable {
        /// At equal intervals.
        case constant
        /// At exponentially distributed intervals (a Poisson process), as if users acted
        /// independently.
        case poisson
    }

    /// All stages as planned, without rate changes.
    private let planned: [RateStage]
    private var rate = RateFactor()
    /// Stages from the last rate change on, with all rate changes so far applied.
    private var stages: [RateStage]
    private let pace: Pace
    private let batchInterval: Int64
    /// The arrivals whose number modulo `share.count` is `share.index`.
    private let share: LoadShare
    private var random: SeededRandom
    /// Index of the next arrival's stage.
    private var stage = 0
    private var stageStart: Int64 = 0
    private var stageArrivals = 0.0
    /// Number of arrivals since the last rate change, in all shares.
    private var number = 0
    /// Exact position of the next arrival on the schedule: the fractional number of arrivals since
    /// the last rate change.
    private var position = 0.0

    /// Pending rate changes, ordered by time.
    private var changes: [RateChange] = []

    /// Due time of the next arrival; nil after the last one.
    package private(set) var next: Int64?

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - stages: Rate stages, in order.
    ///   - pace: Distribution of arrivals over time.
    ///   - batchInterval: Batching interval in nanoseconds. Due times are rounded down to a
    ///     multiple of it to save wake-ups; 0 keeps exact times.
    ///   - share: Share of the arrivals to produce.
    ///   - seed: Seed for random intervals. It must be the same for all shares.
    package init(
        _ stages: [RateStage], pace: Pace = .constant, batchInterval: Int64 = 0,
        share: LoadShare = LoadShare(), seed: UInt64 = 1
    ) {
        planned = stages
        self.stages = stages
        self.pace = pace
        self.batchInterval = max(batchInterval, 0)
        self.share = share
        random = SeededRandom(seed: seed)
        if pace == .poisson { position = random.nextExponential() }
        for _ in 0..<share.index { step() }
        next = time()
    }

    /// Returns the expected number of arrivals across all shares.
    package static func arrivals(_ stages: [RateStage]) -> Double {
        stages.reduce(0) { $0 + $1.arrivals }
    }

    /// Advances to the next arrival.
    package mutating func advance() {
        for _ in 0..<share.count { step() }
        next = time()
    }

    /// Adds a rate change, whose time must be later than all arrivals already performed.
    package mutating func change(_ change: RateChange) {
        changes.append(change)
        // A paused schedule has no next arrival until a change resumes it.
        if next.map({ $0 >= change.time }) ?? true { next = time() }
    }

    /// Applies a rate change that is due, and restarts the count of arrivals at its time.
    private mutating func carryOut(_ change: RateChange) {
        rate.apply(change)
        stages = RateStage.cut(planned, at: change.time).after
            .map { $0.scaled(by: rate.multiplier) }
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
        guard stage < stages.count else {
            guard !changes.isEmpty else { return nil }
            carryOut(changes.removeFirst())
            return time()
        }
        let exact = stageStart + stages[stage].time(of: position - stageArrivals)
        if let change = changes.first, exact >= change.time {
            changes.removeFirst()
            carryOut(change)
            return time()
        }
        return batchInterval > 0 ? exact / batchInterval * batchInterval : exact
    }
}
