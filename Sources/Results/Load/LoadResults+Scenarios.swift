extension LoadResults {
    /// Results of a scenario that ran during the load test.
    package struct Scenario: Sendable, Codable, Equatable {
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
        package var response: Distribution
        /// Durations of successful runs, measured from their actual start.
        package var service: Distribution
        package var steps: [ScenarioStep]
        /// Number of failed runs, by the scenario line that failed.
        package var failures: [FailedLine]
        /// The first few reasons why runs were inconclusive.
        package var reasons: [String]

        package init(
            name: String, file: String, title: String, groups: Int, operators: Int,
            started: UInt64, passed: UInt64, failed: UInt64, undecided: UInt64, unfinished: UInt64,
            waited: UInt64, response: Distribution, service: Distribution, steps: [ScenarioStep],
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
    }

    /// Latencies of an expectation, measured from the preceding send.
    package struct ScenarioStep: Sendable, Codable, Equatable {
        package var line: Int
        package var text: String
        /// The behaviour that contains the step; nil if the step is in the scenario itself.
        package var behaviour: String?
        package var response: Distribution
        package var service: Distribution

        package init(
            line: Int, text: String, behaviour: String? = nil, response: Distribution,
            service: Distribution
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
