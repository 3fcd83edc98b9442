import Session
import SessionTransport
import Synchronization
import Testing

@testable import Conformance

/// Waiting until the server has handled what earlier checks sent.
struct IdleWaitTests {
    /// A server whose state changes with each look; the last state stays.
    private final class Watch: ServerWatch {
        private let states: [ServerState?]
        private let count = Mutex(0)

        init(_ states: [ServerState?]) { self.states = states }

        var looks: Int { count.withLock(\.self) }

        func look() -> ServerState? {
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            return states[min(index, states.count - 1)]
        }
    }

    private func state(unread: Int = 0, ticks: Int? = nil) -> ServerState {
        var state = ServerState()
        state.unreadBytes = unread
        state.cpuTicks = ticks
        return state
    }

    @Test func anIdleServerIsNotWaitedFor() async {
        let watch = Watch([state(ticks: 7)])
        #expect(await ServerObserver(watch: watch).idled())
        #expect(watch.looks == 2)
    }

    @Test func aServerThatCannotBeObservedIsNotWaitedFor() async {
        #expect(await ServerObserver(watch: nil).idled())
        #expect(await ServerObserver(watch: Watch([nil])).idled())
    }

    @Test func unreadBytesAreWaitedFor() async {
        let watch = Watch([state(unread: 9), state(unread: 5), state(unread: 1), state()])
        #expect(await ServerObserver(watch: watch).idled())
        #expect(watch.looks == 4)
    }

    @Test func aServerThatWorksIsWaitedFor() async {
        // The counter is far higher than what the machine can have used in between.
        let watch = Watch([0, 5_000, 10_000, 10_000].map { state(ticks: $0) })
        #expect(await ServerObserver(watch: watch).idled())
        #expect(watch.looks == 4)
    }

    @Test func theWaitIsLimited() async {
        let spinning = Watch((0..<500).map { state(ticks: $0 * 5_000) })
        let unread = Watch([state(unread: 1)])
        for watch in [spinning, unread] {
            var observer = ServerObserver(watch: watch)
            observer.unreadMax = .milliseconds(300)
            observer.busyMax = .milliseconds(200)
            #expect(await !observer.idled())
            #expect(watch.looks < 20)
        }
    }

    /// Hundredths of a second of CPU time in 100 ms, of which the server could not run for some.
    @Test(arguments: [
        (0, 0, true), (3, 0, true), (4, 0, false), (10, 0, false), (3, 50, false), (1, 50, true),
        // Other processes had the CPU nearly all the time, so nothing is known.
        (0, 90, false),
    ])
    func aServerIsIdleIfItUsesLittleCPUTime(ticks: Int, waiting: Int64, isIdle: Bool) {
        let before = state(ticks: 100)
        var after = state(ticks: 100 + ticks)
        after.waitingNanoseconds = waiting * 1_000_000
        #expect(after.isIdle(since: before, after: 100_000_000) == isIdle)
        after.unreadBytes = 1
        #expect(!after.isIdle(since: before, after: 100_000_000))
    }

    /// Its CPU time does not grow while it waits for the CPU, and the kernel counts the wait later.
    @Test func aServerThatWaitsForTheCPUIsNotIdle() {
        var waiting = state(ticks: 100)
        waiting.isRunnable = true
        #expect(!waiting.isIdle(since: state(ticks: 100), after: 100_000_000))
        waiting.isRunnable = false
        #expect(waiting.isIdle(since: state(ticks: 100), after: 100_000_000))
    }

    @Test func withoutTheProcessOnlyUnreadBytesCount() {
        #expect(state().isIdle(since: state(), after: 100_000_000))
        #expect(!state(unread: 1).isIdle(since: state(), after: 100_000_000))
    }
}
