import CEpoll
package import Results
import Synchronization

/// What a fleet shares with the one who watches it: counters, and what a second brought.
///
/// Workers write without waiting; nothing here is asked for a message.
package final class LoadMonitor: Sendable {
    private struct State {
        var moments: [LoadSnapshot]
        var seconds: [Int: (second: LoadSecond, reports: Int)] = [:]
        var isSetUp: [Bool]
        var failure: String?
        var changes: [RateChange] = []
        var endReason: String?
        var ramp: [(time: Int64, moment: LoadSnapshot)] = []
        var rampStart: Int64?

        /// The counters of all workers together.
        var moment: LoadSnapshot { moments.reduce(into: LoadSnapshot()) { $0.add($1) } }
    }

    /// The most points of the ramp that are kept; of more, each second one is dropped.
    package static let rampPointsMax = 400

    private let state: Mutex<State>
    private let workers: Int
    private let stopped = Atomic(false)
    private let begins = Atomic<Int64>(0)
    private let lateness = Atomic<Int64>(0)
    private let aborts = Atomic(false)

    package init(workers: Int) {
        self.workers = workers
        state = Mutex(
            State(
                moments: [LoadSnapshot](repeating: LoadSnapshot(), count: workers),
                isSetUp: [Bool](repeating: false, count: workers)))
    }

    /// Ends the load early: what is under way may still arrive.
    package func stop() { stopped.store(true, ordering: .releasing) }

    /// Ends the load early, and says why.
    package func stop(because reason: String) {
        state.withLock { $0.endReason = $0.endReason ?? reason }
        stop()
    }

    /// Why it was ended early; nil if that was not for a reason of its own.
    package var endReason: String? { state.withLock { $0.endReason } }

    /// The time from a wish to change the rate until that is done: all workers must know of it before.
    static let changeDelay: Int64 = 300_000_000

    /// Wishes for so many times the rate, from soon on. The most changes are ``changesMax``.
    package func changeRate(by factor: Double) {
        let begin = start
        let time = begin > 0 ? max(lj_now() - begin, 0) + Self.changeDelay : 0
        changeRate(RateChange(time: time, factor: factor))
    }

    /// Wishes for a change that somebody else has given a time to.
    func changeRate(_ change: RateChange) {
        state.withLock { state in
            guard state.changes.count < Self.changesMax else { return }
            state.changes.append(change)
        }
    }

    /// The most changes of the rate in one load.
    package static let changesMax = 1_000

    /// What was wished for, in nanoseconds from the start of the load.
    package var rateChanges: [RateChange] { state.withLock { $0.changes } }

    /// Whether it was ended.
    package var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// When the load begins, on the workers' clock; 0 until that is known.
    package var start: Int64 {
        get { begins.load(ordering: .acquiring) }
        set { begins.store(newValue, ordering: .releasing) }
    }

    /// How long after the time that was agreed on the load began.
    package var startLateness: Int64 {
        get { lateness.load(ordering: .acquiring) }
        set { lateness.store(newValue, ordering: .releasing) }
    }

    /// Nothing listens: there is no load.
    func abort(_ why: String) {
        state.withLock { if $0.failure == nil { $0.failure = why } }
        aborts.store(true, ordering: .releasing)
    }

    package var isAborted: Bool { aborts.load(ordering: .acquiring) }

    /// Why there is no load.
    package var failure: String? { state.withLock { $0.failure } }

    /// A worker tells of itself at a time of its clock; until all is set up, that is a point of the ramp.
    func note(_ moment: LoadSnapshot, worker: Int, at time: Int64) {
        state.withLock { state in
            let isRamp = !state.isSetUp[worker]
            state.moments[worker] = moment
            guard isRamp else { return }
            let start = state.rampStart ?? time
            state.rampStart = start
            if state.ramp.count >= Self.rampPointsMax {
                state.ramp = state.ramp.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            }
            state.ramp.append((max(time - start, 0), state.moment))
        }
    }

    /// How the operators got into their rooms.
    package var ramp: [(time: Int64, moment: LoadSnapshot)] {
        state.withLock { $0.ramp.sorted { $0.time < $1.time } }
    }

    func noteSetUp(worker: Int) {
        state.withLock { $0.isSetUp[worker] = true }
    }

    /// Whether all operators are in their rooms, or never will be.
    package var isSetUp: Bool { state.withLock { $0.isSetUp.allSatisfy(\.self) } }

    func note(_ second: LoadSecond, number: Int) {
        state.withLock { state in
            var entry = state.seconds[number] ?? (LoadSecond(), 0)
            entry.second.merge(second)
            entry.reports += 1
            state.seconds[number] = entry
        }
    }

    /// The counters of all workers together.
    package var moment: LoadSnapshot { state.withLock { $0.moment } }

    /// The last second of which every worker has told, if it comes after `number`.
    package func lastSecond(after number: Int) -> (number: Int, second: LoadSecond)? {
        state.withLock { state in
            state.seconds.filter { $0.key > number && $0.value.reports >= workers }
                .max { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }

    /// The seconds that every worker has told of, or all in the end, without those of which these are the
    /// numbers.
    func completeSeconds(
        except told: Set<Int>, isLast: Bool
    ) -> [(number: Int, second: LoadSecond)] {
        state.withLock { state in
            state.seconds.filter { number, entry in
                !told.contains(number) && (isLast || entry.reports >= workers)
            }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }

    /// The seconds after `number` of which every worker has told.
    package func seconds(after number: Int) -> [(number: Int, second: LoadSecond)] {
        state.withLock { state in
            state.seconds.filter { $0.key > number && $0.value.reports >= workers }
                .sorted { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }

    /// All seconds in their order.
    package var seconds: [(number: Int, second: LoadSecond)] {
        state.withLock { state in
            state.seconds.sorted { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }
}
