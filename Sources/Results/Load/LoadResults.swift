/// Results of a load: everything that reports show, as stored in the results file.
///
/// The members are the schema `linejudge.load/2`. Members may be added, and readers ignore unknown
/// ones. Times are in nanoseconds unless the name says otherwise.
package struct LoadResults: Sendable, Codable, Equatable {
    package static let schema = "linejudge.load/2"
    /// The maximum number of examples and reasons kept per kind.
    package static let evidenceMax = 5
    /// The maximum number of steps measured per scenario.
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
    /// Reason for an early end: `interrupted` or `terminated` by a signal, `aborted` because of
    /// ``endReason``.
    package var interruption: String?

    /// The threshold whose continued failure ended the load.
    package var endReason: String?

    /// Progress of the ramp since the first connection attempt.
    package var ramp: [RampPoint]?
    /// Result of checking received lines against the dialect's command table; nil if they were not
    /// checked.
    package var commandTable: SchemaRecord?
    /// The machine that generated the load.
    package var environment: Environment?
    /// Operators with special behaviour; nil if there are none.
    package var behaviours: [Behaviour]?
    /// Scenarios run during the load; nil if there are none.
    package var scenarios: [Scenario]?
    /// The search for the highest rate; nil if there was none. All other members describe the last
    /// load at the rate found.
    package var search: Search?
    /// The shards that these results cover, if several machines ran the load.
    package var shards: Shards?
    /// Start of the first measured second, in nanoseconds since 1970.
    package var measuredFrom: Int64?

    /// The capture that the latencies were taken from, if no load was generated.
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
