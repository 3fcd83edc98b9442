import Results
import Testing

@testable import Conformance

/// The CPU time of a server whose clients are idle.
struct IdleServerTests {
    /// A measurement of a second in which the server used this many hundredths, and could not run
    /// for `waiting` milliseconds.
    private func measure(ticks: Int?, waiting: Int64 = 0) -> ServerMeasure {
        var before = ServerState()
        before.cpuTicks = ticks.map { _ in 500 }
        var measure = ServerMeasure(before)
        var after = before
        after.cpuTicks = ticks.map { 500 + $0 }
        after.waitingNanoseconds = waiting * 1_000_000
        measure.note(after, at: 1_000_000_000)
        return measure
    }

    @Test(arguments: [0, 5, 30])
    func aServerMayWorkALittle(ticks: Int) {
        #expect(FrameForeign.spinning(measure(ticks: ticks)) == nil)
    }

    @Test(arguments: [31, 60, 100])
    func aServerThatWorksForNoClientSpins(ticks: Int) throws {
        let finding = try #require(FrameForeign.spinning(measure(ticks: ticks)))
        #expect(finding.kind == "spins")
        #expect(finding.got == "the server used \(ticks)% of a core")
    }

    @Test func aServerThatSpinsIsRecognizedWhileOthersUseTheCPU() throws {
        let finding = try #require(FrameForeign.spinning(measure(ticks: 25, waiting: 750)))
        #expect(finding.got == "the server used 100% of a core")
        #expect(FrameForeign.spinning(measure(ticks: 5, waiting: 2_000)) == nil)
    }

    /// The hundredths of a second used in each interval of 50 ms.
    private func measure(_ ticks: [Int]) -> ServerMeasure {
        var state = ServerState()
        state.cpuTicks = 500
        var measure = ServerMeasure(state)
        for (index, used) in ticks.enumerated() {
            state.cpuTicks = (state.cpuTicks ?? 0) + used
            measure.note(state, at: Int64(index + 1) * 50_000_000)
        }
        return measure
    }

    @Test func aServerThatWorksHardForAMomentDoesNotSpin() throws {
        let burst = measure([5, 5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 0])
        #expect(try #require(burst.cpuShare) > FrameForeign.cpuShareMax)
        #expect(FrameForeign.spinning(burst) == nil)
        #expect(FrameForeign.spinning(measure([0, 0] + [Int](repeating: 5, count: 10))) != nil)
    }

    @Test func aProcessThatIsNotVisibleIsNotJudged() {
        #expect(FrameForeign.spinning(measure(ticks: nil)) == nil)
    }
}
