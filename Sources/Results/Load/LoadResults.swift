/// What a load found out: all that any report tells, as it stands in the results file.
///
/// The members and their names are the schema `linejudge.load/1`: members may be added, and readers pass over
/// what they do not know. Times are nanoseconds unless the name says otherwise.
package struct LoadResults: Sendable, Codable, Equatable {
    /// The name of the schema.
    package static let schema = "linejudge.load/1"
    /// The most stories and reasons of one kind that are kept.
    package static let evidenceMax = 5
    /// The most steps of a scenario that are timed.
    package static let stepsMax = 200

    package var schema = Self.schema
    package var toolVersion: String
    /// When the load began, in seconds since 1970.
    package var startedAt: Int64
    package var server: String
    package var dialect: String
    package var asked: Asked
    package var operators: Operators
    package var traffic: Traffic
    package var latencies: [Latency]
    package var ledger: Ledger
    package var generator: Generator
    package var thresholds: [ThresholdResult] = []
    package var seconds: [Second]
    package var verdict = Verdict.passed
    /// Why the verdict is what it is, in sentences; empty if all is well.
    package var reasons: [String] = []
    /// Whether it was ended before its time: `interrupted` or `terminated` by somebody, `aborted` because of
    /// ``endReason``.
    package var interruption: String?

    /// The promise that was broken for so long that the load ended before its time.
    package var endReason: String?

    /// How operators got into their rooms, as time went by from the first connect.
    package var ramp: [RampPoint]?
    /// X: how the server's lines stood to the dialect's command table; nil if nobody looked.
    package var commandTable: SchemaRecord?
    /// Where the generator ran.
    package var environment: Environment?
    /// Those who behave unlike the others, if there are any.
    package var personas: [Persona]?
    /// The scenarios that were played, if any were.
    package var scenarios: [Scenario]?
    /// How the rate was found, if it was looked for; all else is of the last load at that rate.
    package var search: Search?
    /// Of a load that several machines make, which parts these results are of.
    package var shards: Shards?
    /// When the first measured second began, in nanoseconds since 1970.
    package var measuredFrom: Int64?

    /// Which parts of a load there are.
    package struct Shards: Sendable, Codable, Equatable {
        /// The most shards.
        package static let countMax = 10_000

        /// How many the load has.
        package var count: Int
        /// Of these, which are here, counted from 0, in rising order.
        package var indices: [Int]
        /// By what the shards of one load know each other.
        package var run: UInt32
        /// Where a shard learned which one it is, in words; nil: it was typed.
        package var source: String?

        package init(count: Int, indices: [Int], run: UInt32, source: String? = nil) {
            self.count = count
            self.indices = indices
            self.run = run
            self.source = source
        }

        /// Which are not here; of a number that no load has, the first.
        package var missing: [Int] {
            let here = Set(indices)
            return (0..<min(max(count, 0), Shards.countMax)).filter { !here.contains($0) }
        }

        /// Whether this is one of several, and no other has joined it.
        package var isOneAlone: Bool { count > 1 && indices.count == 1 }
    }

    /// The capture that the times are of, where no load was made.
    package var capture: Capture?

    /// Traffic of others that times were taken from.
    package struct Capture: Sendable, Codable, Equatable {
        /// The file's name, or that of an interface.
        package var name: String
        package var packets: Int
        package var connections: Int
        package var lines: Int
        /// Lines that break the dialect.
        package var broken: Int
        /// Bytes that the capture lacks.
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

    /// How far all operators were at one time.
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

    /// The generator's machine.
    package struct Environment: Sendable, Codable, Equatable {
        /// The system, its version and the kind of processor: `Linux 6.12.1 x86_64`.
        package var system: String
        /// How many processors this process may use.
        package var processors: Int

        package init(system: String, processors: Int) {
            self.system = system
            self.processors = processors
        }
    }

    /// What was asked for.
    package struct Asked: Sendable, Codable, Equatable {
        package var operators: Int
        package var rooms: Int
        package var model: String
        /// Of the open model.
        package var ratePerSecond: Double?
        package var durationNanoseconds: Int64
        package var warmupNanoseconds: Int64
        package var rampNanoseconds: Int64
        package var quantumNanoseconds: Int64
        package var textBytes: Int
        package var workers: Int
        package var seed: UInt64
        /// Actions and their weights.
        package var mix: [String: Double]
        /// What the plan is called.
        package var plan: String?
        /// The rate over time, of the open model, where it is not one rate.
        package var stages: [AskedStage]?
        /// How many operators there are of each kind, where there are several.
        package var kinds: [String: Int]?
        /// How many processes made it, where there were several.
        package var processes: Int?
        /// What somebody changed while the load went on; it stands in the stages as well.
        package var rateChanges: [RateChange]?

        package init(
            operators: Int, rooms: Int, model: String, ratePerSecond: Double? = nil,
            durationNanoseconds: Int64, warmupNanoseconds: Int64, rampNanoseconds: Int64,
            quantumNanoseconds: Int64, textBytes: Int, workers: Int, seed: UInt64,
            mix: [String: Double], plan: String? = nil, stages: [AskedStage]? = nil,
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

    /// From a time on, so many times the rate there was.
    package struct RateChange: Sendable, Codable, Equatable {
        /// From the start of the measured time; below 0 before it.
        package var timeNanoseconds: Int64
        package var factor: Double

        package init(timeNanoseconds: Int64, factor: Double) {
            self.timeNanoseconds = timeNanoseconds
            self.factor = factor
        }
    }

    /// A stretch of the measured time in which the rate is constant or goes in a straight line.
    package struct AskedStage: Sendable, Codable, Equatable {
        package var durationNanoseconds: Int64
        package var startPerSecond: Double
        package var endPerSecond: Double

        package init(durationNanoseconds: Int64, startPerSecond: Double, endPerSecond: Double) {
            self.durationNanoseconds = durationNanoseconds
            self.startPerSecond = startPerSecond
            self.endPerSecond = endPerSecond
        }
    }

    /// What became of operators of one kind that behave unlike the others. None of it stands in the figures
    /// of the others.
    package struct Persona: Sendable, Codable, Equatable {
        /// The kind.
        package var name: String
        /// How they behave: `slow-reader, 100 B/s`.
        package var persona: String
        package var operators: UInt64
        package var ready: UInt64
        package var failed: UInt64
        /// Connections that the server closed.
        package var cut: UInt64
        package var refused: UInt64
        package var sent: UInt64
        /// Texts that reached them.
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

    /// What became of the plays of a scenario.
    package struct Scenario: Sendable, Codable, Equatable {
        /// The kind in the plan.
        package var name: String
        package var file: String
        package var title: String
        /// How many play it side by side, and how many connections they have together.
        package var groups: Int
        package var operators: Int
        package var started: UInt64
        package var passed: UInt64
        package var failed: UInt64
        /// No connection, or something else that says nothing of the server.
        package var undecided: UInt64
        /// Still under way in the end.
        package var unfinished: UInt64
        /// Begun late because all groups were busy.
        package var waited: UInt64
        /// A whole play, from when it was due; of those that passed.
        package var response: Distribution
        /// The same from when it began.
        package var service: Distribution
        package var steps: [ScenarioStep]
        /// How many plays failed at which line.
        package var failures: [FailedLine]
        /// Why plays could not be decided: the first few.
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

    /// What a scenario expects, and how long it took from the send before it.
    package struct ScenarioStep: Sendable, Codable, Equatable {
        package var line: Int
        package var text: String
        /// The `use` that brought it in.
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

    /// A search for the highest rate that holds.
    package struct Search: Sendable, Codable, Equatable {
        /// What had to hold, beside that nothing was lost or broken.
        package var promises: [String]
        package var steps: [SearchStep]
        /// The highest rate that held; nil if none did.
        package var ratePerSecond: Double?
        /// Whether it held when it was tried again.
        package var isConfirmed: Bool
        /// The lowest rate that did not hold.
        package var brokenPerSecond: Double?
        /// Whether a higher rate failed because of the generator: the server may do more.
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

    /// A rate that was tried.
    package struct SearchStep: Sendable, Codable, Equatable {
        package var ratePerSecond: Double
        package var purpose: String
        package var outcome: String
        package var achievedPerSecond: Double
        /// What the promises were held against.
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

    /// Who got into its room.
    package struct Operators: Sendable, Codable, Equatable {
        package var ready: UInt64
        package var failed: UInt64
        package var unconnected: UInt64
        /// Of these, for want of ports, descriptors or memory here.
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

    /// What happened, and the line that shows it, escaped for display.
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

    /// What went over the wire.
    package struct Traffic: Sendable, Codable, Equatable {
        package var measuredNanoseconds: Int64
        /// Texts and probes in the measured time.
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

        /// Sends a second, of the measured time.
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

    /// The times of one measure.
    package struct Latency: Sendable, Codable, Equatable {
        package var measure: String
        /// The commands on the wire.
        package var command: String?
        /// From the intended send time.
        package var response: Distribution
        /// From the actual send time; nil where there is only one time.
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

    /// Many times in a few numbers, and all of them in one text.
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
        /// HdrHistogram's encoding V2 in base 64: histograms of several runs or machines can be added.
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

    /// Whether everybody got all that it should, once and in order.
    package struct Ledger: Sendable, Codable, Equatable {
        /// How many violations of each kind.
        package var violations: [String: UInt64]
        /// Messages that were given up because too many were under way.
        package var givenUp: UInt64
        /// The first of each kind.
        package var evidence: [Evidence]

        package init(violations: [String: UInt64], givenUp: UInt64, evidence: [Evidence]) {
            self.violations = violations
            self.givenUp = givenUp
            self.evidence = evidence
        }
    }

    /// How the generator itself did.
    package struct Generator: Sendable, Codable, Equatable {
        /// From when a send was due until it was done.
        package var lateness: Distribution
        /// Sends later than 10 ms.
        package var late: UInt64
        package var blocked: UInt64
        package var dropped: UInt64
        package var processorNanoseconds: Int64
        /// Of one core each worker, in the measured time.
        package var processorShare: Double
        /// Connections that the target's queue had no place for, where that can be seen.
        package var listenOverflows: UInt64?
        /// Why the numbers cannot be relied on; empty if they can.
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

    /// A threshold and what it was held against.
    package struct ThresholdResult: Sendable, Codable, Equatable {
        package var text: String
        /// In the unit of its limit: nanoseconds, a count or a percentage; nil if nothing was measured.
        package var value: Double?
        package var verdict: Verdict
    }

    /// One second of the measured time.
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
        toolVersion: String, startedAt: Int64, server: String, dialect: String, asked: Asked,
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
