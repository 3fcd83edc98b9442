/// Results of a load. They contain everything that reports show, as stored in the results file.
///
/// The members are those of the schema `linejudge.load/2`. New members may be added, because
/// readers ignore members that they do not know. Times are in nanoseconds unless a name specifies
/// another unit.
package struct LoadResults: Sendable, Codable, Equatable {
    package static let schema = "linejudge.load/2"
    /// Maximum number of examples and reasons that are kept per kind.
    package static let evidenceMax = 5
    /// Maximum number of steps that are measured per scenario.
    package static let stepsMax = 200

    package var schema = Self.schema
    package var toolVersion: String
    /// Start time in seconds since 1970.
    package var startedAt: Int64
    package var server: String
    package var dialect: String
    package var asked: RequestedLoad
    package var operators: Operators
    package var traffic: Traffic
    package var latencies: [Latency]
    package var ledger: Ledger
    package var generator: Generator
    package var thresholds: [ThresholdResult] = []
    package var seconds: [Second]
    package var verdict = Verdict.passed
    /// Reasons for the verdict, as phrases; empty if the load passed.
    package var reasons: [String] = []
    /// Reason for an early end: a signal (`interrupted` or `terminated`), or ``endReason``
    /// (`aborted`).
    package var interruption: String?

    /// The threshold that ended the load because it kept failing.
    package var endReason: String?

    /// Progress of the ramp since the first connection attempt.
    package var ramp: [RampPoint]?
    /// Result of comparing received lines with the dialect's command table; nil if lines were not
    /// checked.
    package var commandTable: SchemaRecord?
    /// The machine that generated the load.
    package var environment: Environment?
    /// Operators with deviating behaviour; nil if there are none.
    package var behaviours: [Behaviour]?
    /// Scenarios that ran during the load; nil if there are none.
    package var scenarios: [Scenario]?
    /// The search for the highest rate; nil if there was none. If there was one, all other members
    /// describe the last load at the rate that it found.
    package var search: Search?
    /// The shards that these results cover; nil if only one machine ran the load.
    package var shards: Shards?
    /// Start of the first measured second, in nanoseconds since 1970.
    package var measuredFrom: Int64?

    /// The capture from which the latencies were taken; nil if a load was generated.
    package var capture: Capture?

    package init(
        toolVersion: String, startedAt: Int64, server: String, dialect: String,
        asked: RequestedLoad,
        operators: Operators, traffic: Traffic, latencies: [Latency], ledger: Ledger,
        generator: Generator, thresholds: [ThresholdResult] = [], seconds: [Second],
        verdict: Verdict = Verdict.passed, reasons: [String] = [], interruption: String? = nil,
        endReason: String? = nil, ramp: [RampPoint]? = nil, commandTable: SchemaRecord? = nil,
        environment: Environment? = nil, behaviours: [Behaviour]? = nil,
        scenarios: [Scenario]? = nil,
        search: Search? = nil, shards: Shards? = nil, measuredFrom: Int64? = nil,
        capture: Capture? = nil
    ) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
        self.server = server
        self.dialect = dialect
        self.asked = asked
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
