package import Results
package import Transport

/// A search for the highest rate that meets the thresholds (`--find-rate`).
package struct RateFinding {
    /// Length of the confirming load test relative to the others.
    private static let confirmationFactor: Int64 = 2

    private let measurement: LoadMeasurement
    /// Called after each load test, with its result.
    private let show: (RateSearchResults.Step) -> Void

    package init(
        _ measurement: LoadMeasurement, showingEach show: @escaping (RateSearchResults.Step) -> Void
    ) {
        self.measurement = measurement
        self.show = show
    }

    /// Runs load tests until the rate is found or a signal arrives.
    package func run(against endpoint: Endpoint) async throws -> MeasuredLoad {
        let whole = measurement.setup
        var search = RateSearch(start: whole.startRate)
        var steps: [RateSearchResults.Step] = []
        var best: LoadResults?
        var last: LoadResults?
        var signal: Int32?
        while signal == nil, let (rate, purpose) = search.next {
            let setup = whole.holding(
                rate: rate, timesLonger: purpose == .confirmation ? Self.confirmationFactor : 1)
            let measured = try await measurement.run(setup, against: endpoint)
            let results = measured.results
            signal = measured.signal
            if signal == nil { search.note(Self.outcome(results)) }
            let outcome = signal == nil ? Self.outcome(results) : .inconclusive
            let step = RateSearchResults.Step(results, rate, purpose, outcome)
            steps.append(step)
            show(step)
            last = results
            if outcome == .passed, rate == search.best { best = results }
        }
        guard var results = best ?? last else {
            throw CommandFailure(.software, .internalError, "no rate was tried")
        }
        results.search = RateSearchResults(
            search, steps, whole.thresholds.map(\.text),
            processors: Machine.environment.processors)
        if search.confirmed == nil { results.withholdPass() }
        if signal != nil { results.interruption = results.interruption ?? last?.interruption }
        return MeasuredLoad(results: results, signal: signal, isWhole: true)
    }

    private static func outcome(_ results: LoadResults) -> RateSearch.Outcome {
        switch results.verdict {
        case .passed: .passed
        case .failed: .failed
        default: .inconclusive
        }
    }
}

extension LoadSetup {
    /// Returns the same load test with a new run number, and with a seed that depends on the index
    /// of the repetition.
    package func repeated(_ index: Int) -> LoadSetup {
        var setup = self
        setup.plan.run = Self.newRun()
        setup.plan.seed = plan.seed &+ UInt64(index)
        return setup
    }

    /// The first rate that a search tries.
    var startRate: Double {
        guard case .open(let stages, _) = plan.model else { return LoadPlan.rateDefault }
        let rate = stages.first { max($0.startRate, $0.endRate) > 0 }?.endRate ?? 0
        return rate > 0 ? rate : LoadPlan.rateDefault
    }

    /// Returns the same load test at a constant rate, with a new run number.
    func holding(rate: Double, timesLonger factor: Int64) -> LoadSetup {
        var setup = self
        setup.options.duration = options.duration * factor
        if case .open(_, let pace) = plan.model {
            setup.plan.model = .open(
                [RateStage(duration: setup.options.duration, rate: rate)], pace)
        }
        setup.plan.run = Self.newRun()
        setup.heldRate = rate
        return setup
    }
}
