import CEpoll
package import Results
import Synchronization

/// State shared between a running load test and its observers: counters, per-second statistics, and
/// requests to stop the load test or change its rate.
///
/// Workers update it a few times per second rather than for each message.
package final class LoadMonitor: Sendable {
    private struct State {
        var snapshots: [LoadSnapshot]
        var seconds: [Int: (second: LoadSecond, reports: Int)] = [:]
        var isSetUp: [Bool]
        var failure: String?
        var changes: [RateChange] = []
        var endReason: String?
        var exceededBudget: String?
        var isStoppedByUser = false
        var ramp: [(time: Int64, snapshot: LoadSnapshot)] = []
        var rampStart: Int64?
        /// Each worker's examples of violations.
        var evidence: [[Violation]]

        /// Combined counters of all workers.
        var snapshot: LoadSnapshot { snapshots.reduce(into: LoadSnapshot()) { $0.add($1) } }
    }

    /// Maximum number of ramp-up samples kept. When it is exceeded, every other sample is dropped.
    package static let rampPointsMax = 400

    private let state: Mutex<State>
    private let workers: Int
    private let stopped = Atomic(false)
    private let begins = Atomic<Int64>(0)
    private let lateness = Atomic<Int64>(0)
    private let aborts = Atomic(false)

    /// Observer of processes; nil if none are observed.
    package let observer: ProcessObserver?
    /// Reader of the server's metrics; nil if none are read.
    package let scraper: MetricsScraper?

    package init(
        workers: Int, observer: ProcessObserver? = nil, scraper: MetricsScraper? = nil
    ) {
        self.workers = workers
        self.observer = observer
        self.scraper = scraper
        state = Mutex(
            State(
                snapshots: [LoadSnapshot](repeating: LoadSnapshot(), count: workers),
                isSetUp: [Bool](repeating: false, count: workers),
                evidence: [[Violation]](repeating: [], count: workers)))
    }

    /// Ends the load test early; messages in flight may still be delivered.
    package func stop() { stopped.store(true, ordering: .releasing) }

    /// Ends the load test early at the user's request.
    package func stopByUser() {
        state.withLock { $0.isStoppedByUser = true }
        stop()
    }

    package var isStoppedByUser: Bool { state.withLock { $0.isStoppedByUser } }

    /// Ends the load test early and records the reason.
    package func stop(because reason: String) {
        state.withLock { $0.endReason = $0.endReason ?? reason }
        stop()
    }

    /// Ends the load test early because it exceeded a budget.
    package func stop(exceeding budget: String) {
        state.withLock { $0.exceededBudget = $0.exceededBudget ?? budget }
        stop()
    }

    /// The budget that ended the load test; nil if none did.
    package var exceededBudget: String? { state.withLock { $0.exceededBudget } }

    /// Reason for the early end; nil if none was recorded.
    package var endReason: String? { state.withLock { $0.endReason } }

    /// Delay before a rate change takes effect, in nanoseconds. It gives the change time to reach
    /// every worker.
    static let changeDelay: Int64 = 300_000_000

    /// Requests that the rate be multiplied by `factor`; ignored after ``changesMax`` changes.
    package func changeRate(by factor: Double) { request(.scale, factor: factor) }

    /// Requests that sending pause until the load test is resumed.
    package func pause() { request(.pause) }

    /// Requests that a paused load test continue.
    package func resume() { request(.resume) }

    private func request(_ action: RateChange.Action, factor: Double = 1) {
        let begin = start
        let time = begin > 0 ? max(lj_now() - begin, 0) + Self.changeDelay : 0
        changeRate(RateChange(time: time, factor: factor, action: action))
    }

    /// Adds a rate change whose time is already set.
    func changeRate(_ change: RateChange) {
        state.withLock { state in
            guard state.changes.count < Self.changesMax else { return }
            state.changes.append(change)
        }
    }

    /// Maximum number of rate changes per load test.
    package static let changesMax = 1_000

    /// Requested rate changes; their times are in nanoseconds from the start of the load test.
    package var rateChanges: [RateChange] { state.withLock { $0.changes } }

    package var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Monotonic start time; 0 until it is known.
    package var start: Int64 {
        get { begins.load(ordering: .acquiring) }
        set { begins.store(newValue, ordering: .releasing) }
    }

    /// Delay between the agreed and the actual start, in nanoseconds.
    package var startLateness: Int64 {
        get { lateness.load(ordering: .acquiring) }
        set { lateness.store(newValue, ordering: .releasing) }
    }

    /// Aborts the load test and records the reason, such as a server that cannot be reached.
    func abort(_ why: String) {
        state.withLock { if $0.failure == nil { $0.failure = why } }
        aborts.store(true, ordering: .releasing)
    }

    package var isAborted: Bool { aborts.load(ordering: .acquiring) }

    /// Reason the load test was aborted; nil if it was not.
    package var failure: String? { state.withLock { $0.failure } }

    /// Records a worker's counters. During setup, they are also kept as a ramp-up sample.
    func note(_ snapshot: LoadSnapshot, worker: Int, at time: Int64) {
        state.withLock { state in
            let isRamp = !state.isSetUp[worker]
            state.snapshots[worker] = snapshot
            guard isRamp else { return }
            let start = state.rampStart ?? time
            state.rampStart = start
            if state.ramp.count >= Self.rampPointsMax {
                state.ramp = state.ramp.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            }
            state.ramp.append((max(time - start, 0), state.snapshot))
        }
    }

    /// Samples taken during setup.
    package var ramp: [(time: Int64, snapshot: LoadSnapshot)] {
        state.withLock { $0.ramp.sorted { $0.time < $1.time } }
    }

    /// Records a worker's examples of violations so far.
    func note(evidence: [Violation], worker: Int) {
        state.withLock { $0.evidence[worker] = evidence }
    }

    /// Examples of violations, earliest first.
    package var evidence: [Violation] {
        state.withLock { $0.evidence.joined() }.sorted { $0.time < $1.time }
    }

    /// Returns all examples of violations; nil if there are at most `known`.
    func evidence(beyond known: Int) -> [Violation]? {
        state.withLock { state in
            let all = Array(state.evidence.joined())
            return all.count > known ? all : nil
        }
    }

    func noteSetUp(worker: Int) {
        state.withLock { $0.isSetUp[worker] = true }
    }

    /// True if every operator has either reached its room or failed.
    package var isSetUp: Bool { state.withLock { $0.isSetUp.allSatisfy(\.self) } }

    func note(_ second: LoadSecond, number: Int) {
        state.withLock { state in
            var entry = state.seconds[number] ?? (LoadSecond(), 0)
            entry.second.merge(second)
            entry.reports += 1
            state.seconds[number] = entry
        }
    }

    /// Combined counters of all workers.
    package var snapshot: LoadSnapshot { state.withLock { $0.snapshot } }

    /// Returns the statistics of the last second that every worker has reported; nil if it is not
    /// after `number`.
    package func lastSecond(after number: Int) -> (number: Int, second: LoadSecond)? {
        state.withLock { state in
            state.seconds.filter { $0.key > number && $0.value.reports >= workers }
                .max { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }

    /// Returns the statistics of each second that every worker has reported (of all seconds if
    /// `isLast`), except those in `reported`.
    func completeSeconds(
        except reported: Set<Int>, isLast: Bool
    ) -> [(number: Int, second: LoadSecond)] {
        state.withLock { state in
            state.seconds.filter { number, entry in
                !reported.contains(number) && (isLast || entry.reports >= workers)
            }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }

    /// Returns the statistics of each second after `number` that every worker has reported.
    package func seconds(after number: Int) -> [(number: Int, second: LoadSecond)] {
        state.withLock { state in
            state.seconds.filter { $0.key > number && $0.value.reports >= workers }
                .sorted { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }

    /// Statistics of all seconds, in order.
    package var seconds: [(number: Int, second: LoadSecond)] {
        state.withLock { state in
            state.seconds.sorted { $0.key < $1.key }.map { ($0.key, $0.value.second) }
        }
    }
}
