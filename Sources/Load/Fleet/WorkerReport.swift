package import LineProtocol
package import Results

/// One worker's results and counters.
package struct WorkerReport: Sendable, Codable {
    package var recorder = LatencyRecorder()
    package var lateness = LatencyHistogram()
    package var counts = FleetCounts()
    package var violations = ViolationList()
    package var setupFailures: [SetupFailure] = []
    /// Tallies of misbehaving operators, by index of their kind; empty if there are none.
    package var behaviours: [BehaviourTally] = []
    /// Tallies of scenario runs, by scenario index; empty if the load test has no scenarios.
    package var scenarios: [ScenarioTally] = []
    /// Findings of the command-table check; nil if the check was off.
    package var schema: SchemaReport?
    /// CPU time that the worker used during the measurement period, in nanoseconds.
    package var processorTime: Int64 = 0
    /// Length of the measurement period in nanoseconds; shorter than planned if the load test
    /// was stopped.
    package var measured: Int64 = 0
    /// Reasons why the results may be unreliable, apart from those that the counters show.
    package var troubles: [String] = []

    package init() {}

    /// Adds another worker's results.
    package mutating func merge(_ other: WorkerReport) {
        recorder.merge(other.recorder)
        lateness.merge(other.lateness)
        counts.merge(other.counts)
        violations.merge(other.violations)
        setupFailures += other.setupFailures.prefix(
            max(0, LoadResults.evidenceMax - setupFailures.count))
        if behaviours.count < other.behaviours.count {
            behaviours += [BehaviourTally](
                repeating: BehaviourTally(), count: other.behaviours.count - behaviours.count)
        }
        for index in other.behaviours.indices {
            behaviours[index].merge(other.behaviours[index])
        }
        if scenarios.count < other.scenarios.count {
            scenarios += [ScenarioTally](
                repeating: ScenarioTally(), count: other.scenarios.count - scenarios.count)
        }
        for index in other.scenarios.indices { scenarios[index].merge(other.scenarios[index]) }
        merge(schema: other.schema)
        processorTime += other.processorTime
        measured = max(measured, other.measured)
        troubles += other.troubles.filter { !troubles.contains($0) }
    }

    /// Adds another worker's command-table findings.
    mutating func merge(schema other: SchemaReport?) {
        guard let other else { return }
        schema = schema ?? SchemaReport()
        schema?.merge(other)
    }
}
