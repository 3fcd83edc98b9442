/// Results of a load: everything that reports show, as stored in the results file.
///
/// The members are the schema `linejudge.load/1`. Members may be added, and readers ignore unknown
/// ones. Times are in nanoseconds unless the name says otherwise.
package struct LoadResults: Sendable, Codable, Equatable {
    package static let schema = "linejudge.load/1"
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
    package var personas: [Persona]?
    /// Scenarios run during the load; nil if there are none.
    package var scenarios: [Scenario]?
    /// The search for the highest rate; nil if there was none. All other members describe the last
    /// load at the rate found.
    package var search: Search?
    /// The shards that these results cover, if several machines ran the load.
    package var shards: Shards?
    /// Start of the first measured second, in nanoseconds since 1970.
    package var measuredFrom: Int64?

    /// The shards of a load that the results cover.
    package struct Shards: Sendable, Codable, Equatable {
        package static let countMax = 10_000

        /// Total number of shards.
        package var count: Int
        /// Indices of the included shards, from 0, in ascending order.
        package var indices: [Int]
        /// ID shared by all shards of the same load.
        package var run: UInt32
        /// Source of the shard number, such as an environment variable; nil if it was given as an
        /// option.
        package var source: String?

        package init(count: Int, indices: [Int], run: UInt32, source: String? = nil) {
            self.count = count
            self.indices = indices
            self.run = run
            self.source = source
        }

        /// Indices of the missing shards.
        package var missing: [Int] {
            let here = Set(indices)
            return (0..<min(max(count, 0), Shards.countMax)).filter { !here.contains($0) }
        }

        /// True if this is a single shard of several.
        package var isOneAlone: Bool { count > 1 && indices.count == 1 }
    }

    /// The capture that the latencies were taken from, if no load was generated.
    package var capture: Capture?

    /// Captured traffic that latencies were taken from.
    package struct Capture: Sendable, Codable, Equatable {
        /// Name of the file or interface.
        package var name: String
        package var packets: Int
        package var connections: Int
        package var lines: Int
        /// Number of lines that break the dialect.
        package var broken: Int
        /// Number of bytes missing from the capture.
        package var missingBytes: Int

        package init(
            name: String, packets: Int, connections: Int, lines: Int, broken: Int,
            missingBytes: Int
        ) {
            self.name = name
            self.packets = packets
            self.connections = connections
            self.lines = lines
            self.broken = broken
            self.missingBytes = missingBytes
        }
    }

    /// Progress of all operators at one time.
    package struct RampPoint: Sendable, Codable, Equatable {
        package var timeNanoseconds: Int64
        package var connected: Int
        package var ready: Int
        package var failed: Int

        package init(timeNanoseconds: Int64, connected: Int, ready: Int, failed: Int) {
            self.timeNanoseconds = timeNanoseconds
            self.connected = connected
            self.ready = ready
            self.failed = failed
        }
    }

    /// The machine that generated the load.
    package struct Environment: Sendable, Codable, Equatable {
        /// Operating system, version and processor architecture: `Linux 6.12.1 x86_64`.
        package var system: String
        /// Number of processors available to the process.
        package var processors: Int

        package init(system: String, processors: Int) {
            self.system = system
            self.processors = processors
        }
    }

    /// The requested load.
    package struct RequestedLoad: Sendable, Codable, Equatable {
        package var operators: Int
        package var rooms: Int
        package var model: String
        /// The requested rate of the open model; nil in the closed model.
        package var ratePerSecond: Double?
        package var durationNanoseconds: Int64
        package var warmupNanoseconds: Int64
        package var rampNanoseconds: Int64
        package var quantumNanoseconds: Int64
        package var textBytes: Int
        package var workers: Int
        package var seed: UInt64
        package var mix: [String: Double]
        package var plan: String?
        /// Rate over time in the open model; nil if it is constant.
        package var stages: [RequestedStage]?
        /// Number of operators by kind; nil if there is only one kind.
        package var kinds: [String: Int]?
        /// Number of generator processes; nil for one.
        package var processes: Int?
        /// Rate changes made by the user during the load. The stages include them.
        package var rateChanges: [RateChange]?

        package init(
            operators: Int, rooms: Int, model: String, ratePerSecond: Double? = nil,
            durationNanoseconds: Int64, warmupNanoseconds: Int64, rampNanoseconds: Int64,
            quantumNanoseconds: Int64, textBytes: Int, workers: Int, seed: UInt64,
            mix: [String: Double], plan: String? = nil, stages: [RequestedStage]? = nil,
            kinds: [String: Int]? = nil, processes: Int? = nil, rateChanges: [RateChange]? = nil
        ) {
            self.operators = operators
            self.rooms = rooms
            self.model = model
            self.ratePerSecond = ratePerSecond
            self.durationNanoseconds = durationNanoseconds
            self.warmupNanoseconds = warmupNanoseconds
            self.rampNanoseconds = rampNanoseconds
            self.quantumNanoseconds = quantumNanoseconds
            self.textBytes = textBytes
            self.workers = workers
            self.seed = seed
            self.mix = mix
            self.plan = plan
            self.stages = stages
            self.kinds = kinds
            self.processes = processes
            self.rateChanges = rateChanges
        }
    }

    /// A change of the rate by a factor.
    package struct RateChange: Sendable, Codable, Equatable {
        /// Time since the start of the measured period; negative before it.
        package var timeNanoseconds: Int64
        package var factor: Double

        package init(timeNanoseconds: Int64, factor: Double) {
            self.timeNanoseconds = timeNanoseconds
            self.factor = factor
        }
    }

    /// A part of the measured period in which the rate is constant or changes linearly.
    package struct RequestedStage: Sendable, Codable, Equatable {
        package var durationNanoseconds: Int64
        package var startPerSecond: Double
        package var endPerSecond: Double

        package init(durationNanoseconds: Int64, startPerSecond: Double, endPerSecond: Double) {
            self.durationNanoseconds = durationNanoseconds
            self.startPerSecond = startPerSecond
            self.endPerSecond = endPerSecond
        }
    }

    /// Results of operators with special behaviour. The other figures do not include them.
    package struct Persona: Sendable, Codable, Equatable {
        /// Name of the operator kind.
        package var name: String
        /// Description of the behaviour: `slow-reader, 100 B/s`.
        package var persona: String
        package var operators: UInt64
        package var ready: UInt64
        package var failed: UInt64
        /// Number of connections closed by the server.
        package var cut: UInt64
        package var refused: UInt64
        package var sent: UInt64
        /// Number of texts delivered to them.
        package var arrived: UInt64
        package var bytesReceived: UInt64
        package var departures: UInt64
        package var returns: UInt64
        package var returnsFailed: UInt64
        package var latencies: [Latency]
        package var evidence: [Evidence]

        package init(
            name: String, persona: String, operators: UInt64, ready: UInt64, failed: UInt64,
            cut: UInt64, refused: UInt64, sent: UInt64, arrived: UInt64, bytesReceived: UInt64,
            departures: UInt64, returns: UInt64, returnsFailed: UInt64, latencies: [Latency],
            evidence: [Evidence]
        ) {
            self.name = name
            self.persona = persona
            self.operators = operators
            self.ready = ready
            self.failed = failed
            self.cut = cut
            self.refused = refused
            self.sent = sent
            self.arrived = arrived
            self.bytesReceived = bytesReceived
            self.departures = departures
            self.returns = returns
            self.returnsFailed = returnsFailed
            self.latencies = latencies
            self.evidence = evidence
        }
    }

    /// Results of a scenario that ran during the load.
    package struct Scenario: Sendable, Codable, Equatable {
        /// Name of the operator kind in the plan.
        package var name: String
        package var file: String
        package var title: String
        /// Number of parallel virtual users, and of their connections.
        package var groups: Int
        package var operators: Int
        package var started: UInt64
        package var passed: UInt64
        package var failed: UInt64
        /// Runs without a connection, or otherwise inconclusive.
        package var undecided: UInt64
        /// Runs not finished when the load ended.
        package var unfinished: UInt64
        /// Runs that started late because all virtual users were busy.
        package var waited: UInt64
        /// Duration of passed runs from their scheduled start.
        package var response: Distribution
        /// Duration of passed runs from their actual start.
        package var service: Distribution
        package var steps: [ScenarioStep]
        /// Number of failed runs by line.
        package var failures: [FailedLine]
        /// The first few reasons for inconclusive runs.
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

    /// Latencies of an expectation, measured from the send before it.
    package struct ScenarioStep: Sendable, Codable, Equatable {
        package var line: Int
        package var text: String
        /// The behaviour whose `use` statement contains the step.
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

    package struct FailedLine: Sendable, Codable, Equatable {
        package var line: Int
        package var count: UInt64

        package init(line: Int, count: UInt64) {
            self.line = line
            self.count = count
        }
    }

    /// A search for the highest sustainable rate.
    package struct Search: Sendable, Codable, Equatable {
        /// The thresholds that had to hold, in addition to correct delivery.
        package var promises: [String]
        package var steps: [SearchStep]
        /// The highest rate that passed; nil if none did.
        package var ratePerSecond: Double?
        /// True if the rate passed again in a second load.
        package var isConfirmed: Bool
        /// The lowest rate that failed.
        package var brokenPerSecond: Double?
        /// True if a higher rate failed because of the generator, so the server may be able to
        /// handle more.
        package var isBoundByGenerator: Bool

        package init(
            promises: [String], steps: [SearchStep], ratePerSecond: Double? = nil,
            isConfirmed: Bool, brokenPerSecond: Double? = nil, isBoundByGenerator: Bool
        ) {
            self.promises = promises
            self.steps = steps
            self.ratePerSecond = ratePerSecond
            self.isConfirmed = isConfirmed
            self.brokenPerSecond = brokenPerSecond
            self.isBoundByGenerator = isBoundByGenerator
        }
    }

    /// A load at one of the rates tried by a search.
    package struct SearchStep: Sendable, Codable, Equatable {
        package var ratePerSecond: Double
        package var purpose: String
        package var outcome: String
        package var achievedPerSecond: Double
        package var thresholds: [ThresholdResult]
        package var reasons: [String]

        package init(
            ratePerSecond: Double, purpose: String, outcome: String, achievedPerSecond: Double,
            thresholds: [ThresholdResult], reasons: [String]
        ) {
            self.ratePerSecond = ratePerSecond
            self.purpose = purpose
            self.outcome = outcome
            self.achievedPerSecond = achievedPerSecond
            self.thresholds = thresholds
            self.reasons = reasons
        }
    }

    /// Number of operators that joined their rooms or failed to.
    package struct Operators: Sendable, Codable, Equatable {
        package var ready: UInt64
        package var failed: UInt64
        package var unconnected: UInt64
        /// Number of failures caused by a lack of ports, descriptors or memory on the generator.
        package var unconnectedHere: UInt64
        package var failures: [Evidence]

        package init(
            ready: UInt64, failed: UInt64, unconnected: UInt64, unconnectedHere: UInt64,
            failures: [Evidence]
        ) {
            self.ready = ready
            self.failed = failed
            self.unconnected = unconnected
            self.unconnectedHere = unconnectedHere
            self.failures = failures
        }
    }

    /// An example of what happened, with the line that shows it (escaped for display).
    package struct Evidence: Sendable, Codable, Equatable {
        package var kind: String?
        package var story: String
        package var line: String?
        package var timeNanoseconds: Int64?

        package init(
            kind: String? = nil, story: String, line: String? = nil, timeNanoseconds: Int64? = nil
        ) {
            self.kind = kind
            self.story = story
            self.line = line
            self.timeNanoseconds = timeNanoseconds
        }
    }

    /// Counters of the traffic.
    package struct Traffic: Sendable, Codable, Equatable {
        package var measuredNanoseconds: Int64
        /// Texts and probes sent in the measured period.
        package var sent: UInt64
        package var unsent: UInt64
        package var sentEver: UInt64
        package var answered: UInt64
        package var owed: UInt64
        package var delivered: UInt64
        package var indefinite: UInt64
        package var strangers: UInt64
        package var lines: UInt64
        package var otherLines: UInt64
        package var bytesSent: UInt64
        package var bytesReceived: UInt64

        package var rate: Double {
            measuredNanoseconds > 0 ? Double(sent) * 1e9 / Double(measuredNanoseconds) : 0
        }

        package init(
            measuredNanoseconds: Int64, sent: UInt64, unsent: UInt64, sentEver: UInt64,
            answered: UInt64, owed: UInt64, delivered: UInt64, indefinite: UInt64,
            strangers: UInt64, lines: UInt64, otherLines: UInt64, bytesSent: UInt64,
            bytesReceived: UInt64
        ) {
            self.measuredNanoseconds = measuredNanoseconds
            self.sent = sent
            self.unsent = unsent
            self.sentEver = sentEver
            self.answered = answered
            self.owed = owed
            self.delivered = delivered
            self.indefinite = indefinite
            self.strangers = strangers
            self.lines = lines
            self.otherLines = otherLines
            self.bytesSent = bytesSent
            self.bytesReceived = bytesReceived
        }
    }

    /// Latencies of one measure.
    package struct Latency: Sendable, Codable, Equatable {
        package var measure: String
        /// The commands that were timed.
        package var command: String?
        /// Latency from the scheduled send.
        package var response: Distribution
        /// Latency from the actual send; nil if there is no schedule.
        package var service: Distribution?

        package init(
            measure: String, command: String? = nil, response: Distribution,
            service: Distribution? = nil
        ) {
            self.measure = measure
            self.command = command
            self.response = response
            self.service = service
        }
    }

    /// A latency distribution: key figures and the full histogram.
    package struct Distribution: Sendable, Codable, Equatable {
        package var count: UInt64
        package var min: UInt64
        package var mean: Double
        package var deviation: Double
        package var p50: UInt64
        package var p75: UInt64
        package var p90: UInt64
        package var p95: UInt64
        package var p99: UInt64
        package var p999: UInt64
        package var p9999: UInt64
        package var max: UInt64
        /// HdrHistogram V2 encoding in base64, so that histograms can be merged.
        package var histogram: String

        package init(
            count: UInt64, min: UInt64, mean: Double, deviation: Double, p50: UInt64, p75: UInt64,
            p90: UInt64, p95: UInt64, p99: UInt64, p999: UInt64, p9999: UInt64, max: UInt64,
            histogram: String
        ) {
            self.count = count
            self.min = min
            self.mean = mean
            self.deviation = deviation
            self.p50 = p50
            self.p75 = p75
            self.p90 = p90
            self.p95 = p95
            self.p99 = p99
            self.p999 = p999
            self.p9999 = p9999
            self.max = max
            self.histogram = histogram
        }
    }

    /// The delivery ledger: whether all texts arrived once and in order.
    package struct Ledger: Sendable, Codable, Equatable {
        /// Number of violations by kind.
        package var violations: [String: UInt64]
        /// Messages no longer tracked because too many were in flight.
        package var givenUp: UInt64
        /// The first few violations of each kind.
        package var evidence: [Evidence]

        package init(violations: [String: UInt64], givenUp: UInt64, evidence: [Evidence]) {
            self.violations = violations
            self.givenUp = givenUp
            self.evidence = evidence
        }
    }

    /// Performance of the load generator itself.
    package struct Generator: Sendable, Codable, Equatable {
        /// Delay between the scheduled and the actual send.
        package var lateness: Distribution
        /// Number of sends delayed by more than 10 ms.
        package var late: UInt64
        package var blocked: UInt64
        package var dropped: UInt64
        package var processorNanoseconds: Int64
        /// Share of CPU time in the measured period; 1 is one full core per worker.
        package var processorShare: Double
        /// Connections dropped because the server's accept queue was full; nil if unknown.
        package var listenOverflows: UInt64?
        /// Reasons why the figures are unreliable; empty if they are reliable.
        package var limits: [String]

        package init(
            lateness: Distribution, late: UInt64, blocked: UInt64, dropped: UInt64,
            processorNanoseconds: Int64, processorShare: Double, listenOverflows: UInt64? = nil,
            limits: [String]
        ) {
            self.lateness = lateness
            self.late = late
            self.blocked = blocked
            self.dropped = dropped
            self.processorNanoseconds = processorNanoseconds
            self.processorShare = processorShare
            self.listenOverflows = listenOverflows
            self.limits = limits
        }
    }

    /// A threshold with the measured value.
    package struct ThresholdResult: Sendable, Codable, Equatable {
        package var text: String
        /// In the unit of the limit: nanoseconds, a count or a percentage; nil if nothing was
        /// measured.
        package var value: Double?
        package var verdict: Verdict
    }

    /// One second of the measured period.
    package struct Second: Sendable, Codable, Equatable {
        package var second: Int
        package var sent: UInt64
        package var arrived: UInt64
        package var violations: UInt64
        package var latencies: [String: Distribution]

        package init(
            second: Int, sent: UInt64, arrived: UInt64, violations: UInt64,
            latencies: [String: Distribution]
        ) {
            self.second = second
            self.sent = sent
            self.arrived = arrived
            self.violations = violations
            self.latencies = latencies
        }
    }

    package init(
        toolVersion: String, startedAt: Int64, server: String, dialect: String,
        asked: RequestedLoad,
        operators: Operators, traffic: Traffic, latencies: [Latency], ledger: Ledger,
        generator: Generator, thresholds: [ThresholdResult] = [], seconds: [Second],
        verdict: Verdict = Verdict.passed, reasons: [String] = [], interruption: String? = nil,
        endReason: String? = nil, ramp: [RampPoint]? = nil, commandTable: SchemaRecord? = nil,
        environment: Environment? = nil, personas: [Persona]? = nil, scenarios: [Scenario]? = nil,
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
        self.personas = personas
        self.scenarios = scenarios
        self.search = search
        self.shards = shards
        self.measuredFrom = measuredFrom
        self.capture = capture
    }
}
