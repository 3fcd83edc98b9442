import LineProtocol

/// Due times of arrivals, in nanoseconds from the start. All operators share one schedule, so that
/// none needs its own timer.
///
/// Due times depend on the schedule alone: however late a caller is, no arrival is dropped or
/// moved. Latency measured from these times therefore includes every stall of the server (no
/// coordinated omission).
package struct ArrivalSchedule: Sendable {
    /// Distribution of arrivals over time.
    package enum Pace: String, Sendable, Hashable, CaseIterable {
        /// At equal intervals.
        case constant
        /// At exponentially distributed intervals (a Poisson process), like independent users.
        case poisson
    }

    /// One generator's part of a shared schedule: the arrivals whose number modulo `count` is
    /// `index`.
    package struct Share: Sendable, Hashable {
        package var index: Int
        package var count: Int

        /// Creates a share; by default the whole schedule.
        package init(index: Int = 0, count: Int = 1) {
            self.index = index
            self.count = max(count, 1)
        }
    }

    private var stages: [RateStage]
    private let pace: Pace
    private let batchInterval: Int64
    private let share: Share
    private var random: SeededRandom
    /// The stage of the next arrival, its start time, and the number of arrivals before it.
    private var stage = 0
    private var stageStart: Int64 = 0
    private var stageArrivals = 0.0
    /// Number of arrivals so far, in all shares.
    private var number = 0
    /// Position of the next arrival, as a number of arrivals from the start.
    private var position = 0.0

    /// Pending rate changes, in order of time.
    private var changes: [RateChange] = []

    /// Due time of the next arrival; nil after the last.
    package private(set) var next: Int64?

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - stages: Rate stages, one after another.
    ///   - pace: The distribution of arrivals.
    ///   - batchInterval: Batching interval in nanoseconds. Arrivals are rounded up to a multiple
    ///     of it, which saves wake-ups; 0 keeps exact times.
    ///   - share: Part of the arrivals to produce.
    ///   - seed: Seed for the random intervals, which must be the same for all shares.
    package init(
        _ stages: [RateStage], pace: Pace = .constant, batchInterval: Int64 = 0,
        share: Share = Share(),
        seed: UInt64 = 1
    ) {
        self.stages = stages
        self.pace = pace
        self.batchInterval = max(batchInterval, 0)
        self.share = share
        random = SeededRandom(seed: seed)
        if pace == .poisson { position = random.nextExponential() }
        for _ in 0..<share.index { step() }
        next = time()
    }

    /// Returns the expected number of arrivals in all shares together.
    package static func arrivals(_ stages: [RateStage]) -> Double {
        stages.reduce(0) { $0 + $1.arrivals }
    }

    /// Moves on to the next arrival.
    package mutating func advance() {
        for _ in 0..<share.count { step() }
        next = time()
    }

    /// Changes the rate from a time that no arrival has reached yet.
    package mutating func change(_ change: RateChange) {
        changes.append(change)
        if let next, next >= change.time { self.next = time() }
    }

    /// Applies a change whose time has come, and counts arrivals from there.
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
        return batchInterval > 0 ? exact / batchInterval * batchInterval : exact
    }
}
