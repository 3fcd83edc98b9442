/// Results of a load test: everything that reports show, as stored in the results file.
///
/// The members are those of the `linejudge.load/2` schema. New members may be added, because
/// readers ignore unknown members. Times are in nanoseconds unless a name specifies another unit.
package struct LoadResults: Sendable, Codable, Equatable {
    package static let schema = "linejudge.load/2"
    /// Maximum number of examples or reasons kept for each kind.
    package static let evidenceMax = 5
    /// Maximum number of steps in a scenario whose latency is measured.
    package static let stepsMax = 200

    package var schema = Self.schema
    package var toolVersion: String
    /// Start time in seconds since 1970.
    package var startedAt: Int64
    package var server: String
    package var dialect: String
    package var requested: RequestedLoad
    package var operators: Operators
    package var traffic: Traffic
    package var latencies: [Latency]
    package var ledger: Ledger
    package var generator: Generator
    package var thresholds: [ThresholdResult] = []
    package var seconds: [Second]
    package var verdict = Verdict.passed
    /// Reasons for the verdict, as phrases; empty if the load test passed.
    package var reasons: [String] = []
    /// Reason the load test ended early: a signal (`interrupted` or `terminated`), the user
    /// (`stopped`) or a threshold that kept failing (`aborted`; see ``endReason``). Nil if it did
    /// not end early.
    package var interruption: String?

    /// The threshold that ended the load test because it kept failing; nil if none did.
    package var endReason: String?

    /// The budget that the load test exceeded, so that it ended early; nil if it did not.
    package var exceededBudget: String?

    /// Progress of the ramp, from the first connection attempt; nil if it was not recorded.
    package var ramp: [RampPoint]?
    /// Result of checking received lines against the dialect's command table; nil if lines were not
    /// checked.
    package var commandTable: SchemaRecord?
    /// The machine that generated the load; nil if unknown, or if there were several different
    /// ones.
    package var environment: Environment?
    /// Misbehaving operators; nil if there are none.
    package var behaviours: [MisbehavingOperators]?
    /// Scenarios that ran during the load test; nil if there were none.
    package var scenarios: [LoadScenarioResult]?
    /// The rate search; nil if there was none. After a search, all other members describe the last
    /// load test at the rate that the search found.
    package var search: RateSearchResults?
    /// The shards that these results include; nil if a single machine generated the load.
    package var shards: Shards?
    /// Start of the measurement period, in nanoseconds since 1970; nil if unknown.
    package var measuredFrom: Int64?

    /// Processes that were observed; nil if there were none.
    package var processes: [ObservedProcess]?
    /// The server's own metrics; nil if none were read.
    package var metrics: [ServerMetric]?
    /// CPU use of the machine that generated the load; nil if unknown.
    package var machine: MachineUse?

    /// The capture that the latencies come from; nil if the results are from a load test.
    package var capture: Capture?

    private enum CodingKeys: String, CodingKey {
        case schema, toolVersion, startedAt, server, dialect
        case requested = "asked"
        case operators, traffic, latencies, ledger, generator, thresholds, seconds, verdict
        case reasons, interruption, endReason, ramp, commandTable, environment, behaviours
        case scenarios, search, shards, measuredFrom, processes, metrics, machine, capture
        case exceededBudget
    }

    package init(
        toolVersion: String, startedAt: Int64, server: String, dialect: String,
        requested: RequestedLoad,
        operators: Operators, traffic: Traffic, latencies: [Latency], ledger: Ledger,
        generator: Generator, thresholds: [ThresholdResult] = [], seconds: [Second],
        verdict: Verdict = Verdict.passed, reasons: [String] = [], interruption: String? = nil,
        endReason: String? = nil, ramp: [RampPoint]? = nil, commandTable: SchemaRecord? = nil,
        environment: Environment? = nil, behaviours: [MisbehavingOperators]? = nil,
        scenarios: [LoadScenarioResult]? = nil,
        search: RateSearchResults? = nil, shards: Shards? = nil, measuredFrom: Int64? = nil,
        capture: Capture? = nil
    ) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
        self.server = server
        self.dialect = dialect
        self.requested = requested
        self.operators = operators
        self.traffic = traffic
        self.latencies = latencies
        self.ledger = ledger
        self.generator = generator
        self.thresholds = thresholds
        self.seconds = seconds
        self.verdict = verdict
        self.reasons = reasons
        self.interruption = interruption
        self.endReason = endReason
        self.ramp = ramp
        self.commandTable = commandTable
        self.environment = environment
        self.behaviours = behaviours
        self.scenarios = scenarios
        self.search = search
        self.shards = shards
        self.measuredFrom = measuredFrom
        self.capture = capture
    }
}
