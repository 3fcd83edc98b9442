import Testing

@testable import Load

private let second: Int64 = 1_000_000_000

/// Pausing and resuming a load.
struct PauseTests {
    private let stages = [RateStage(duration: 10 * second, rate: 10)]

    private func times(_ changes: [RateChange]) -> [Int64] {
        var schedule = ArrivalSchedule(stages)
        for change in changes { schedule.change(change) }
        var times: [Int64] = []
        while let next = schedule.next {
            times.append(next)
            schedule.advance()
        }
        return times
    }

    @Test func nothingIsDueDuringAPause() {
        let times = times([
            RateChange(time: 2 * second, action: .pause),
            RateChange(time: 5 * second, action: .resume),
        ])
        #expect(times.filter { $0 < 2 * second }.count == 20)
        #expect(times.filter { $0 > 2 * second && $0 < 5 * second }.isEmpty)
        #expect(times.filter { $0 >= 5 * second }.count == 50)
    }

    @Test func aPausedScheduleContinuesWhenItIsResumedLater() {
        var schedule = ArrivalSchedule(stages)
        schedule.change(RateChange(time: 0, action: .pause))
        while schedule.next != nil { schedule.advance() }
        schedule.change(RateChange(time: 9 * second, action: .resume))
        #expect(schedule.next == 9 * second)
    }

    @Test func aRateThatWasChangedInAPauseAppliesAfterwards() {
        let changes = [
            RateChange(time: second, factor: 2), RateChange(time: 2 * second, action: .pause),
            RateChange(time: 3 * second, factor: 0.5),
            RateChange(time: 4 * second, action: .resume),
        ]
        let changed = RateStage.changing(stages, changes)
        #expect(changed.map(\.startRate) == [10, 20, 0, 0, 10])
        #expect(changed.map(\.duration) == [1, 1, 1, 1, 6].map { $0 * second })
        #expect(times(changes).filter { $0 > 2 * second && $0 < 4 * second }.count <= 1)
        #expect(times(changes).filter { $0 >= 4 * second }.count == 60)
    }

    @Test func aPauseUntilTheEndEndsTheSchedule() {
        #expect(times([RateChange(time: 2 * second, action: .pause)]).last ?? 0 <= 2 * second)
    }
}
