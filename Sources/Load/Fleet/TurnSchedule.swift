import LineProtocol
import Results

/// An operator's action that is due.
package struct DueAction: Sendable, Equatable {
    /// Lateness above which a send counts as delayed by an overloaded generator, in nanoseconds.
    package static let lateNanoseconds: Int64 = 10_000_000

    /// Index of the operator in its worker.
    package var index: Int
    package var action: LoadAction
    /// Due time of the action, in nanoseconds on the monotonic clock.
    package var intended: Int64
}

/// The schedule of operators' actions: when they act, which operator acts next, and what it does.
/// It follows arrivals in the open model and think times in the closed model.
struct TurnSchedule {
    private let model: LoadModel
    private let mix: ActionMix
    private let kinds: KindPattern
    private let stageThinks: [(end: Int64, think: ThinkTime)]
    private let seed: UInt64
    private let firstOperator: Int
    private(set) var phases: Phases?
    private var arrivals: ArrivalSchedule?
    private var wheel: TimerWheel?
    /// Operators whose think time has ended, earliest first; `nextThinker` is the index of the next
    /// operator to act.
    private var dueThinkers: [(index: Int, time: Int64)] = []
    private var nextThinker = 0
    /// Operators free to perform the next due action, alternating between rooms.
    private var ready: [Int32] = []
    private var nextReady = 0
    private var random: SeededRandom
    /// Number of measured arrivals for which no operator was ready.
    private(set) var unsent: UInt64 = 0

    init(_ plan: FleetPlan, firstOperator: Int, worker: Int) {
        model = plan.model
        mix = plan.mix
        kinds = plan.kindPattern
        stageThinks = plan.thinks
        seed = plan.seed
        self.firstOperator = firstOperator
        random = SeededRandom(seed: plan.seed, stream: UInt64(worker) + 1)
    }

    /// Starts the load test.
    ///
    /// - Parameter ready: The operators that send anything, in the order of their turns.
    mutating func start(
        _ plan: FleetPlan, _ phases: Phases, share: LoadShare, ready: [Int32],
        operators: inout [OperatorState]
    ) {
        self.phases = phases
        self.ready = ready
        switch model {
        case .open(let all, let pace):
            let stages = plan.poolShare == 1 ? all : all.map { $0.scaled(by: plan.poolShare) }
            // Warm-up uses the initial rate of the measurement period.
            let warmup = RateStage(
                duration: phases.measureStart - phases.start, rate: stages.first?.startRate ?? 0)
            arrivals = ArrivalSchedule(
                warmup.duration > 0 ? [warmup] + stages : stages, pace: pace,
                batchInterval: plan.batchInterval, share: share, seed: plan.seed)
        case .closed(let think):
            var wheel = TimerWheel(operators: operators.count, now: phases.start)
            for (position, index) in ready.enumerated() {
                // The first actions are spread evenly over a tenth of a second.
                let first = 100_000_000 * Int64(position) / Int64(ready.count)
                let time = thinkTime(Int(index), think, at: phases.start).draw(&random)
                wheel.set(Int(index), at: phases.start + first + time)
                operators[Int(index)].hasTurn = true
            }
            self.wheel = wheel
        }
    }

    /// Ends the load test early. Later arrivals do not count.
    mutating func end(at time: Int64) {
        phases?.end = time
        arrivals = nil
        wheel = nil
        dueThinkers = []
        nextThinker = 0
    }

    /// Adds a rate change. Its time is relative to the start of the load test.
    mutating func change(_ change: RateChange) { arrivals?.change(change) }

    /// Returns a random time of up to `most`.
    mutating func randomTime(upTo most: Int64) -> Int64 {
        Int64(random.nextFraction() * Double(most))
    }

    func isMeasured(_ time: Int64) -> Bool { phases?.isMeasured(time) ?? false }

    /// Returns the next deadline; nil if there is nothing to do until data arrives.
    func nextTime() -> Int64? {
        guard let phases else { return nil }
        if let arrivals { return arrivals.next.map { $0 + phases.start } }
        if nextThinker < dueThinkers.count { return 0 }
        return wheel?.nextTick
    }

    /// Takes the next due action; nil if none is due yet.
    mutating func takeDue(at now: Int64, _ operators: inout [OperatorState]) -> DueAction? {
        guard let phases else { return nil }
        return arrivals != nil
            ? takeArrival(at: now, phases, &operators) : takeThinker(at: now, phases, &operators)
    }

    private mutating func takeArrival(
        at now: Int64, _ phases: Phases, _ operators: inout [OperatorState]
    ) -> DueAction? {
        while let next = arrivals?.next, next + phases.start <= now {
            let intended = next + phases.start
            guard intended < phases.end else {
                arrivals = nil
                return nil
            }
            arrivals?.advance()
            if let index = nextOperator(operators) {
                let action = action(for: index, &operators[index])
                return DueAction(index: index, action: action, intended: intended)
            }
            if phases.isMeasured(intended) { unsent += 1 }
        }
        return nil
    }

    private mutating func nextOperator(_ operators: [OperatorState]) -> Int? {
        var passedOver = 0
        while passedOver < ready.count {
            if nextReady >= ready.count { nextReady = 0 }
            let index = Int(ready[nextReady])
            switch operators[index].phase {
            case .ready:
                nextReady += 1
                return index
            // A reconnecting operator is skipped rather than removed, because it will return.
            case .away, .setup:
                nextReady += 1
                passedOver += 1
            case .waiting, .failed, .gone: ready.remove(at: nextReady)
            }
        }
        return nil
    }

    private mutating func takeThinker(
        at now: Int64, _ phases: Phases, _ operators: inout [OperatorState]
    ) -> DueAction? {
        if nextThinker == dueThinkers.count {
            dueThinkers.removeAll(keepingCapacity: true)
            nextThinker = 0
            wheel?.take(at: now, into: &dueThinkers)
        }
        while nextThinker < dueThinkers.count {
            let (index, time) = dueThinkers[nextThinker]
            nextThinker += 1
            operators[index].hasTurn = false
            guard operators[index].phase == .ready, time < phases.end else { continue }
            let action = action(for: index, &operators[index])
            return DueAction(index: index, action: action, intended: time)
        }
        return nil
    }

    /// Ends an operator's turn in the closed model and starts its think time.
    mutating func thinks(_ index: Int, at now: Int64, _ state: inout OperatorState) {
        guard case .closed(let think) = model, state.phase == .ready, !state.hasTurn
        else { return }
        state.hasTurn = true
        let time = thinkTime(index, think, at: now).draw(&random)
        if time == 0 {
            dueThinkers.append((index, now))
        } else {
            wheel?.set(index, at: now + time)
        }
    }

    // The following are mutating only because the compiler would copy the struct for each call of a
    // nonmutating method.

    private mutating func thinkTime(_ index: Int, _ usual: ThinkTime, at now: Int64) -> ThinkTime {
        if let own = kinds.think(of: firstOperator + index) { return own }
        guard !stageThinks.isEmpty, let phases else { return usual }
        return stageThinks.first { now - phases.measureStart < $0.end }?.think ?? usual
    }

    /// Picks the operator's next action, which depends only on the seed, the operator's number and
    /// its action count.
    private mutating func action(for index: Int, _ state: inout OperatorState) -> LoadAction {
        state.actions &+= 1
        let number = UInt64(firstOperator + index) << 32 | UInt64(state.actions)
        let random = SeededRandom.mixed(seed &+ SeededRandom.mixed(number))
        // Choosing between the mixes first would retain the chosen one.
        return kinds.mix(of: firstOperator + index)?.action(random) ?? mix.action(random)
    }
}
