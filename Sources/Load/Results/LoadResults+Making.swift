import Foundation
import LineProtocol

extension LoadResults.Distribution {
    /// The numbers of a histogram.
    package init(_ histogram: LatencyHistogram) {
        count = histogram.count
        min = histogram.least
        mean = histogram.mean
        deviation = histogram.deviation
        p50 = histogram.percentile(50)
        p75 = histogram.percentile(75)
        p90 = histogram.percentile(90)
        p95 = histogram.percentile(95)
        p99 = histogram.percentile(99)
        p999 = histogram.percentile(99.9)
        p9999 = histogram.percentile(99.99)
        max = histogram.most
        self.histogram = Data(HistogramCodec.encoded(histogram)).base64EncodedString()
    }

    /// The value that `percent` of all are not over; nil where the histogram cannot be read.
    package func percentile(_ percent: Double) -> UInt64? {
        (try? decoded()).map { Swift.min($0.percentile(percent), max) }
    }

    /// The histogram that the numbers are of.
    package func decoded() throws -> LatencyHistogram {
        guard let data = Data(base64Encoded: histogram) else {
            throw HistogramCodec.Malformed(reason: "it is not base 64")
        }
        return try HistogramCodec.decode(Array(data))
    }
}

/// What a load was asked to be, for its results.
package struct LoadDescription: Sendable {
    package var toolVersion: String
    package var startedAt: Int64
    package var server: String
    package var plan: FleetPlan
    package var options: FleetOptions
    package var thresholds: [Threshold]
    /// `interrupted` or `terminated`, if somebody ended it.
    package var interruption: String?
    /// Connections that the target's queue had no place for.
    package var listenOverflows: UInt64?
    package var environment: LoadResults.Environment?
    /// What the plan is called.
    package var planName: String?
    /// How many processes made it.
    package var processes = 1
    /// Which of several machines' parts it is, and where that was found.
    package var shard: Shard?
    /// When the first measured second began, in nanoseconds since 1970.
    package var measuredFrom: Int64?
    /// How long after the agreed time the load began, in nanoseconds.
    package var startLateness: Int64 = 0

    /// A description from its parts.
    package init(
        toolVersion: String, startedAt: Int64, server: String, plan: FleetPlan,
        options: FleetOptions, thresholds: [Threshold] = []
    ) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
        self.server = server
        self.plan = plan
        self.options = options
        self.thresholds = thresholds
    }

    /// The rate of an open model, as far as it is this generator's share.
    var rate: Double? {
        guard case .open(let stages, _) = plan.model else { return nil }
        let seconds = stages.reduce(0) { $0 + Double($1.duration) / 1e9 }
        guard seconds > 0 else { return 0 }
        return ArrivalSchedule.arrivals(stages) / seconds / Double(options.share.count)
    }

    /// All threads of all processes.
    var workers: Int { options.workers * processes }
}

extension LoadResults {
    /// The results of a load that is over.
    package init(
        _ description: LoadDescription, _ report: FleetCore.Report,
        seconds: [(number: Int, second: FleetWatch.Second)],
        ramp: [(time: Int64, moment: FleetWatch.Moment)] = []
    ) {
        let plan = description.plan
        let counts = report.counts
        self.init(
            toolVersion: description.toolVersion, startedAt: description.startedAt,
            server: description.server, dialect: plan.playbook.dialect.name,
            asked: Asked(description),
            operators: Operators(
                ready: counts.ready, failed: counts.failed, unconnected: counts.unconnected,
                unconnectedHere: counts.unconnectedHere,
                failures: report.setupFailures.map {
                    Evidence(story: $0.story, line: Self.shown($0.line))
                }),
            traffic: Traffic(counts, measured: report.measured),
            latencies: Self.latencies(report.recorder, plan.playbook),
            ledger: Ledger(
                violations: Dictionary(
                    uniqueKeysWithValues: Violation.Kind.allCases.map {
                        ($0.rawValue, report.violations[$0])
                    }),
                givenUp: counts.givenUp,
                evidence: report.violations.kept.map {
                    Evidence(
                        kind: $0.kind.rawValue, story: $0.story, line: Self.shown($0.line),
                        timeNanoseconds: $0.time)
                }),
            generator: Generator(description, report),
            seconds: seconds.map { Second($0.number, $0.second) },
            interruption: description.interruption,
            ramp: ramp.isEmpty ? nil : ramp.map { RampPoint($0.time, $0.moment) },
            environment: description.environment, personas: Self.personas(plan, report))
        measuredFrom = description.measuredFrom
        shards = description.shard.map {
            Shards(
                count: $0.share.count, indices: [$0.share.index], run: plan.run, source: $0.source)
        }
        judge(description.thresholds)
    }

    private static func personas(
        _ plan: FleetPlan, _ report: FleetCore.Report
    ) -> [Persona]? {
        let all = zip(plan.kinds, report.personas).compactMap { kind, tally -> Persona? in
            guard let persona = kind.persona, persona.role != .ordinary else { return nil }
            return Persona(
                name: kind.name, persona: persona.summary, operators: tally.operators,
                ready: tally.ready, failed: tally.failed, cut: tally.cut, refused: tally.refused,
                sent: tally.sent, arrived: tally.arrived, bytesReceived: tally.bytesReceived,
                departures: tally.departures, returns: tally.returns,
                returnsFailed: tally.returnsFailed,
                latencies: latencies(tally.recorder, plan.playbook),
                evidence: tally.evidence.map {
                    Evidence(story: $0.story, line: shown($0.line))
                })
        }
        return all.isEmpty ? nil : all
    }

    private static func latencies(
        _ recorder: LatencyRecorder, _ playbook: Playbook
    ) -> [Latency] {
        Measure.allCases.compactMap { measure in
            guard let response = recorder.response(measure) else { return nil }
            return Latency(
                measure: measure.name, command: measure.action.flatMap { playbook.commands[$0] },
                response: Distribution(response),
                service: recorder.service(measure).map { Distribution($0) })
        }
    }

    /// Bytes of a line as they are shown and kept: ASCII, the rest as `\xHH`.
    private static func shown(_ line: [UInt8]) -> String? {
        guard !line.isEmpty else { return nil }
        return line.reduce(into: "") { text, byte in
            if byte >= 0x20, byte < 0x7F, byte != 0x5C {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                text += byte == 0x5C ? "\\\\" : "\\x" + (byte < 16 ? "0" : "") + digits
            }
        }
    }
}

extension Measure {
    /// The action that is timed.
    var action: LoadAction? {
        switch self {
        case .connect, .login: nil
        case .probe: .probe
        case .relay: .relay
        case .say, .sayFirst, .sayMedian, .sayLast, .saySpread: .say
        }
    }
}

extension LoadResults.Asked {
    init(_ description: LoadDescription) {
        let (plan, options) = (description.plan, description.options)
        self.init(
            operators: plan.layout.operators(options.share).count,
            rooms: plan.layout.rooms(options.share).count, model: plan.model.word,
            ratePerSecond: description.rate, durationNanoseconds: options.duration,
            warmupNanoseconds: options.warmup, rampNanoseconds: options.ramp,
            quantumNanoseconds: plan.quantum, textBytes: plan.playbook.widths.text,
            workers: description.workers, seed: plan.seed,
            mix: Dictionary(
                plan.mix.weights.map { ($0.action.name, $0.weight) }, uniquingKeysWith: +),
            plan: description.planName, stages: Self.stages(plan.model, options.share),
            kinds: Self.kinds(plan, options.share),
            processes: description.processes > 1 ? description.processes : nil)
    }

    private static func stages(
        _ model: LoadModel, _ share: LoadShare
    ) -> [LoadResults.AskedStage]? {
        guard case .open(let stages, _) = model else { return nil }
        if stages.count == 1, stages[0].startRate == stages[0].endRate { return nil }
        return stages.map {
            LoadResults.AskedStage(
                durationNanoseconds: $0.duration,
                startPerSecond: $0.startRate / Double(share.count),
                endPerSecond: $0.endRate / Double(share.count))
        }
    }

    private static func kinds(_ plan: FleetPlan, _ share: LoadShare) -> [String: Int]? {
        if plan.kinds.isEmpty { return nil }
        return plan.layout.operators(share).reduce(into: [:]) { counts, number in
            if let kind = plan.kind(of: number) { counts[kind.name, default: 0] += 1 }
        }
    }
}

extension LoadResults.Traffic {
    init(_ counts: FleetCounts, measured: Int64) {
        self.init(
            measuredNanoseconds: measured, sent: counts.sent, unsent: counts.unsent,
            sentEver: counts.sentEver, answered: counts.answered, owed: counts.owed,
            delivered: counts.delivered, indefinite: counts.indefinite,
            strangers: counts.strangers, lines: counts.lines, otherLines: counts.otherLines,
            bytesSent: counts.bytesSent, bytesReceived: counts.bytesReceived)
    }
}

extension LoadResults.Second {
    init(_ number: Int, _ second: FleetWatch.Second) {
        self.init(
            second: number, sent: second.sent, arrived: second.arrived,
            violations: second.violations,
            latencies: Dictionary(
                uniqueKeysWithValues: second.latencies.map {
                    ($0.key.name, LoadResults.Distribution($0.value))
                }))
    }
}

extension LoadResults.RampPoint {
    init(_ time: Int64, _ moment: FleetWatch.Moment) {
        self.init(
            timeNanoseconds: time, connected: moment.connected, ready: moment.ready,
            failed: moment.failed)
    }
}
