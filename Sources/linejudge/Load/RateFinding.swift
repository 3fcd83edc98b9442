import Load
import Report
import Results
import Runner
import Transport

/// Search for the highest rate that meets the thresholds (`--find-rate`).
struct RateFinding {
    let job: LoadJob
    let summary: LoadSummary

    /// Factor by which the confirming load is longer.
    static let confirmationFactor: Int64 = 2

    /// Runs loads until the rate is found or a signal arrives.
    func run(
        against endpoint: Endpoint, _ interruptions: Interruptions
    ) async throws -> LoadJob.Measured {
        var search = RateSearch(start: job.setup.startRate)
        var steps: [LoadResults.SearchStep] = []
        var best: LoadResults?
        var last: LoadResults?
        var signal: Int32?
        while signal == nil, let (rate, purpose) = search.next {
            let setup = job.setup.holding(
                rate: rate, timesLonger: purpose == .confirmation ? Self.confirmationFactor : 1)
            let (results, ended, _) = try await job.measure(
                setup, against: endpoint, interruptions)
            signal = ended
            if signal == nil { search.note(Self.outcome(results)) }
            let outcome = signal == nil ? Self.outcome(results) : .undecided
            let step = LoadResults.SearchStep(results, rate, purpose, outcome)
            steps.append(step)
            if !job.command.display.quiet {
                job.reports.outputForPeople.write(summary.searchLine(step))
            }
            last = results
            if outcome == .held, rate == search.best { best = results }
        }
        guard var results = best ?? last else {
            throw CommandFailure(.software, .internalError, "no rate was tried")
        }
        results.search = LoadResults.Search(search, steps, job.setup.thresholdTexts)
        if search.confirmed == nil { results.withholdPass() }
        if signal != nil { results.interruption = results.interruption ?? last?.interruption }
        return (results, signal, true)
    }

    private static func outcome(_ results: LoadResults) -> RateSearch.Outcome {
        switch results.verdict {
        case .passed: .held
        case .failed: .broke
        default: .undecided
        }
    }
}

extension LoadSetup {
    /// First rate of a search.
    var startRate: Double {
        guard case .open(let stages, _) = plan.model else { return LoadScheduleOptions.rateDefault }
        return stages.first?.endRate ?? LoadScheduleOptions.rateDefault
    }

    /// Thresholds as written.
    var thresholdTexts: [String] { thresholds.map(\.text) }

    /// The same load at a constant rate, with another run number.
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
