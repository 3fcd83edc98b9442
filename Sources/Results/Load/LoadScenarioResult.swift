/// Results of a scenario that ran during the load test.
package struct LoadScenarioResult: Sendable, Codable, Equatable {
    /// Name of the operator kind that ran the scenario.
    package var name: String
    package var file: String
    package var title: String
    /// Number of virtual users that ran the scenario in parallel.
    package var groups: Int
    package var operators: Int
    package var started: UInt64
    package var passed: UInt64
    package var failed: UInt64
    /// Number of runs that were inconclusive, for example because no connection could be made.
    package var undecided: UInt64
    /// Number of runs that were still in progress when the load test ended.
    package var unfinished: UInt64
    /// Number of runs that started late because all virtual users were busy.
    package var waited: UInt64
    /// Durations of successful runs, measured from their scheduled start.
    package var response: LatencyDistribution
    /// Durations of successful runs, measured from their actual start.
    package var service: LatencyDistribution
    package var steps: [Step]
    /// Number of failed runs, by the scenario line that failed.
    package var failures: [FailedLine]
    /// The first few reasons why runs were inconclusive.
    package var reasons: [String]

    package init(
        name: String, file: String, title: String, groups: Int, operators: Int,
        started: UInt64, passed: UInt64, failed: UInt64, undecided: UInt64, unfinished: UInt64,
        waited: UInt64, response: LatencyDistribution, service: LatencyDistribution, steps: [Step],
        failures: [FailedLine], reasons: [String]
    ) {
        self.name = name
        self.file = file
        self.title = title
        self.groups = groups
        self.operators = operators
        self.started = started
        self.passed = passed
        self.failed = failed
        self.undecided = undecided
        self.unfinished = unfinished
        self.waited = waited
        self.response = response
        self.service = service
        self.steps = steps
        self.failures = failures
        self.reasons = reasons
    }

    /// Adds the results of the same scenario from another generator.
    mutating func add(_ other: Self) throws {
        groups.grow(by: other.groups)
        operators.grow(by: other.operators)
        started.grow(by: other.started)
        passed.grow(by: other.passed)
        failed.grow(by: other.failed)
        undecided.grow(by: other.undecided)
        unfinished.grow(by: other.unfinished)
        waited.grow(by: other.waited)
        try response.add(other.response)
        try service.add(other.service)
        for step in other.steps {
            let index = steps.firstIndex {
                $0.line == step.line && $0.text == step.text && $0.behaviour == step.behaviour
            }
            guard let index else {
                if steps.count < LoadResults.stepsMax { steps.append(step) }
                continue
            }
            try steps[index].response.add(step.response)
            try steps[index].service.add(step.service)
        }
        steps.sort { ($0.line, $0.text) < ($1.line, $1.text) }
        for failure in other.failures {
            if let index = failures.firstIndex(where: { $0.line == failure.line }) {
                failures[index].count.grow(by: failure.count)
            } else {
                failures.append(failure)
            }
        }
        failures.sort { $0.line < $1.line }
        reasons += other.reasons.prefix(max(0, LoadResults.evidenceMax - reasons.count))
    }

    /// Latencies of an expectation, measured from the preceding send.
    package struct Step: Sendable, Codable, Equatable {
        package var line: Int
        package var text: String
        /// The behaviour that contains the step; nil if the step is in the scenario itself.
        package var behaviour: String?
        package var response: LatencyDistribution
        package var service: LatencyDistribution

        package init(
            line: Int, text: String, behaviour: String? = nil, response: LatencyDistribution,
            service: LatencyDistribution
        ) {
            self.line = line
            self.text = text
            self.behaviour = behaviour
            self.response = response
            self.service = service
        }
    }

    /// A scenario line at which runs failed, with the number of those runs.
    package struct FailedLine: Sendable, Codable, Equatable {
        package var line: Int
        package var count: UInt64

        package init(line: Int, count: UInt64) {
            self.line = line
            self.count = count
        }
    }
}
