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

    @Test func aProcessThatIsNotVisibleIsNotJudged() {
        #expect(FrameForeign.spinning(measure(ticks: nil)) == nil)
    }
}
