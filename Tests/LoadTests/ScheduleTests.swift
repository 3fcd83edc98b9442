import LineProtocol
import Results
import Testing

@testable import Load

private func times(_ schedule: ArrivalSchedule) -> [Int64] {
    var schedule = schedule
    var result: [Int64] = []
    while let next = schedule.next {
        result.append(next)
        schedule.advance()
    }
    return result
}

private let second: Int64 = 1_000_000_000

@Test func aConstantRateIsEven() {
    let all = times(ArrivalSchedule([RateStage(duration: second, rate: 4)]))
    #expect(all == [0, 250_000_000, 500_000_000, 750_000_000])
}

@Test(arguments: [1.0, 7, 1_000, 33_333.3])
func aStageHasAsManyArrivalsAsItsRateSays(rate: Double) {
    let stages = [RateStage(duration: 3 * second, rate: rate)]
    let count = times(ArrivalSchedule(stages)).count
    #expect(abs(Double(count) - ArrivalSchedule.arrivals(stages)) <= 1)
}

@Test func aRampHasHalfOfWhatItsEndWouldHave() {
    let stages = [
        RateStage(duration: 2 * second, startRate: 0, endRate: 1_000),
        RateStage(duration: second, rate: 1_000),
        RateStage(duration: 2 * second, startRate: 1_000, endRate: 0),
    ]
    let all = times(ArrivalSchedule(stages))
    #expect(abs(all.count { $0 < 2 * second } - 1_000) <= 1)
    #expect(abs(all.count { $0 >= 2 * second && $0 < 3 * second } - 1_000) <= 1)
    #expect(abs(all.count { $0 >= 3 * second } - 1_000) <= 1)
    // A sixteenth of all arrivals happen in the first quarter of a ramp.
    #expect(abs(all.count { $0 < second / 2 } - 62) <= 1)
    #expect(all == all.sorted())
}

@Test(arguments: ArrivalSchedule.Pace.allCases)
func aPauseHasNoArrivals(pace: ArrivalSchedule.Pace) {
    for rate in [0.3, 7, 333.3, 100_000] {
        let stages = [
            RateStage(duration: second, startRate: rate, endRate: 0),
            RateStage(duration: 2 * second, rate: 0),
            RateStage(duration: second, startRate: 0, endRate: rate),
        ]
        for seed in UInt64(1)...5 {
            let all = times(ArrivalSchedule(stages, pace: pace, seed: seed))
            #expect(!all.contains { $0 > second && $0 < 3 * second })
            #expect(all == all.sorted() && all.allSatisfy { (0...4 * second).contains($0) })
            if rate > 100 { #expect(abs(Double(all.count) - rate) <= 5 * rate.squareRoot()) }
        }
    }
}

@Test func aBatchingIntervalGroupsArrivalsAndLosesNone() {
    let stages = [RateStage(duration: second, rate: 5_000)]
    let exact = times(ArrivalSchedule(stages))
    let gathered = times(ArrivalSchedule(stages, batchInterval: 1_000_000))
    #expect(gathered == exact.map { $0 / 1_000_000 * 1_000_000 })
    #expect(Set(gathered).count == 1_000)
}

@Test(arguments: ArrivalSchedule.Pace.allCases)
func sharesTogetherAreTheWhole(pace: ArrivalSchedule.Pace) {
    let stages = [RateStage(duration: second, startRate: 100, endRate: 900)]
    let whole = times(ArrivalSchedule(stages, pace: pace, seed: 7))
    let shares = (0..<3).map { index in
        times(
            ArrivalSchedule(
                stages, pace: pace, share: .init(index: index, count: 3), seed: 7))
    }
    #expect(shares.flatMap(\.self).sorted() == whole)
    #expect(shares[1] == whole.indices.filter { $0 % 3 == 1 }.map { whole[$0] })
}

@Test func poissonArrivalsHaveTheRateAndTheSpreadOfChance() {
    let stages = [RateStage(duration: 10 * second, rate: 2_000)]
    let all = times(ArrivalSchedule(stages, pace: .poisson, seed: 3))
    #expect(abs(all.count - 20_000) < 600)
    let gaps = zip(all.dropFirst(), all).map { Double($0 - $1) }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let variance = gaps.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(gaps.count)
    // An exponential distribution's standard deviation equals its mean.
    #expect(abs(variance.squareRoot() / mean - 1) < 0.05)
    #expect(all == times(ArrivalSchedule(stages, pace: .poisson, seed: 3)))
    #expect(all != times(ArrivalSchedule(stages, pace: .poisson, seed: 4)))
}

@Test func anEmptyScheduleIsOver() {
    #expect(ArrivalSchedule([]).next == nil)
    #expect(ArrivalSchedule([RateStage(duration: second, rate: 0)]).next == nil)
    #expect(ArrivalSchedule([RateStage(duration: 0, rate: 10)]).next == nil)
}

@Test func thinkTimesStayWithinTheirBounds() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<1_000 {
        let constant = ThinkTime.constant(5).draw(&random)
        #expect(constant == 5)
        let uniform = ThinkTime.uniform(minimum: 10, maximum: 20).draw(&random)
        #expect((10..<20).contains(uniform))
        let drawn = ThinkTime.exponential(mean: 100).draw(&random)
        #expect(drawn >= 0 && drawn <= 2_000)
    }
}

@Test func aWheelHandsOverEveryTimerOnceAndNotBeforeItExpires() throws {
    var wheel = TimerWheel(operators: 500, now: 0)
    var random = SeededRandom(seed: 9)
    var wanted: [Int: Int64] = [:]
    for index in 0..<500 {
        // Up to 20 s: several revolutions of the timer wheel.
        let time = Int64(random.nextFraction() * 20e9)
        wheel.set(index, at: time)
        wanted[index] = time
    }
    var now: Int64 = 0
    var taken: [(index: Int, time: Int64)] = []
    while wheel.count > 0, now < 30 * second {
        now += Int64(random.nextFraction() * 50e6)
        taken.removeAll()
        wheel.take(at: now, into: &taken)
        for (index, time) in taken {
            let taken = wanted.removeValue(forKey: index)
            let wish = try #require(taken)
            #expect(time <= now)
            #expect(time % TimerWheel.tick == 0)
            #expect(abs(time - max(wish, TimerWheel.tick)) <= TimerWheel.tick / 2)
        }
        #expect(wanted.values.allSatisfy { $0 > now - TimerWheel.tick })
    }
    #expect(wanted.isEmpty)
}

@Test func aWheelThatWasNotReadForLongMissesNoTimer() {
    var wheel = TimerWheel(operators: 3, now: 0)
    for index in 0..<3 { wheel.set(index, at: Int64(index + 1) * second) }
    var taken: [(index: Int, time: Int64)] = []
    wheel.take(at: 3_600 * second, into: &taken)
    #expect(Set(taken.map(\.index)) == [0, 1, 2])
}

@Test func whatIsIntendedInWarmUpOrDrainIsNotMeasured() {
    let phases = Phases(start: 100, warmup: 10, measurement: 20, drain: 5)
    #expect(!phases.isMeasured(109))
    #expect(phases.isMeasured(110))
    #expect(phases.isMeasured(129))
    #expect(!phases.isMeasured(130))
    #expect(phases.drainEnd == 135)
}

@Test func secondsCountFromTheMeasurement() {
    let phases = Phases(start: 0, warmup: 2 * second, measurement: 5 * second, drain: 0)
    #expect(phases.second(of: 2 * second) == 0)
    #expect(phases.second(of: 2 * second + 999_999_999) == 0)
    #expect(phases.second(of: 3 * second) == 1)
    #expect(phases.second(of: second) < 0)
}

@Test func aMixGivesEveryActionItsShare() {
    let mix = ActionMix([(.say, 3), (.probe, 1), (.relay, 0)])
    var random = SeededRandom(seed: 2)
    var counts: [LoadAction: Int] = [:]
    for _ in 0..<40_000 { counts[mix.action(random.next()), default: 0] += 1 }
    #expect(counts[.relay] == nil)
    #expect(abs((counts[.say] ?? 0) - 30_000) < 600)
}

@Test(arguments: [(10, 10), (10, 3), (1, 10), (5_000, 7), (11, 10)])
func everyOperatorIsInOneRoom(operators: Int, size: Int) {
    let layout = RoomLayout(operators: operators, size: size)
    let members = (0..<layout.rooms).flatMap { Array(layout.members($0)) }
    #expect(members == Array(0..<operators))
    let sizes = (0..<layout.rooms).map { layout.members($0).count }
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    for workers in 1...4 {
        let rooms = (0..<workers).flatMap { Array(layout.rooms(worker: $0, of: workers)) }
        #expect(rooms == Array(0..<layout.rooms))
    }
}

@Test(arguments: [ArrivalSchedule.Pace.constant, .poisson], [1, 3])
func aRateThatIsChangedCountsFromThenOn(pace: ArrivalSchedule.Pace, shares: Int) {
    let stages = [RateStage(duration: 10_000_000_000, rate: 100)]
    var times: [Int64] = []
    for index in 0..<shares {
        var schedule = ArrivalSchedule(
            stages, pace: pace, share: .init(index: index, count: shares), seed: 5)
        while let next = schedule.next, next < 3_000_000_000 {
            times.append(next)
            schedule.advance()
        }
        schedule.change(RateChange(time: 4_000_000_000, factor: 3))
        schedule.change(RateChange(time: 6_000_000_000, factor: 0.5))
        while let next = schedule.next {
            times.append(next)
            schedule.advance()
        }
    }
    func count(_ range: Range<Int64>) -> Int {
        times.count {
            $0 >= range.lowerBound * 1_000_000_000 && $0 < range.upperBound * 1_000_000_000
        }
    }
    let tolerance = pace == .constant ? shares : 140
    #expect(abs(count(0..<4) - 400) <= tolerance)
    #expect(abs(count(4..<6) - 600) <= tolerance)
    #expect(abs(count(6..<10) - 600) <= tolerance)
    let changed = RateStage.changing(
        stages,
        [
            RateChange(time: 4_000_000_000, factor: 3),
            RateChange(time: 6_000_000_000, factor: 0.5),
        ])
    #expect(changed.map(\.startRate) == [100, 300, 150])
    #expect(changed.map(\.duration) == [4_000_000_000, 2_000_000_000, 4_000_000_000])
}

@Test func aLineIsCutWhereItIs() {
    let stages = [RateStage(duration: 10, startRate: 0, endRate: 100)]
    let (before, after) = RateStage.cut(stages, at: 4)
    #expect(before == [RateStage(duration: 4, startRate: 0, endRate: 40)])
    #expect(after == [RateStage(duration: 6, startRate: 40, endRate: 100)])
}

@Test func aPromiseThatIsBrokenForLongEnoughEndsALoad() throws {
    var judge = LiveThresholdChecker(
        [try Threshold("p50(say) < 5ms"), try Threshold("lost <= 2")], grace: 1_000)
    var snapshot = LoadSnapshot()
    var second = LoadSecond()
    var slow = LatencyHistogram()
    for _ in 0..<10 { slow.record(9_000_000) }
    second.latencies = [.say: slow]
    judge.add(second)
    #expect(judge.reasonToEnd(snapshot, at: 0) == nil)
    #expect(judge.reasonToEnd(snapshot, at: 1_000) == "p50(say) < 5ms")
    var fast = LatencyHistogram()
    for _ in 0..<100 { fast.record(1_000_000) }
    second.latencies = [.say: fast]
    judge.add(second)
    #expect(judge.reasonToEnd(snapshot, at: 2_000) == nil)
    snapshot.kinds = [.lost: 2]
    #expect(judge.reasonToEnd(snapshot, at: 3_000) == nil)
    snapshot.kinds = [.duplicate: 1]
    #expect(judge.reasonToEnd(snapshot, at: 4_000) == nil)
    #expect(judge.reasonToEnd(snapshot, at: 5_000) == "duplicate == 0")
}
