import LineProtocol
package import Results
import Session

extension LoadResults {
    /// Creates the results of a finished load test.
    package init(
        _ description: LoadDescription, _ report: WorkerReport,
        seconds: [(number: Int, second: LoadSecond)],
        ramp: [(time: Int64, snapshot: LoadSnapshot)] = []
    ) {
        let plan = description.plan
        let counts = report.counts
        self.init(
            toolVersion: description.toolVersion, startedAt: description.startedAt,
            server: description.server, dialect: plan.operatorScript.dialect.name,
            requested: RequestedLoad(description),
            operators: Operators(
                ready: counts.ready + UInt64(Self.executors(description)),
                failed: counts.failed, unconnected: counts.unconnected,
                unconnectedHere: counts.unconnectedHere,
                failures: report.setupFailures.map {
                    Evidence(story: $0.story, line: Self.shown($0.line))
                }),
            traffic: Traffic(counts, measured: report.measured),
            latencies: Self.latencies(report.recorder, plan.operatorScript),
            ledger: Ledger(
                violations: Dictionary(
                    uniqueKeysWithValues: Violation.Kind.allCases.map {
                        ($0.rawValue, report.violations[$0])
                    }),
                givenUp: counts.givenUp,
                evidence: Self.evidence(report.violations.kept)),
            generator: Generator(description, report),
            seconds: seconds.map { Second($0.number, $0.second) },
            interruption: description.interruption,
            ramp: ramp.isEmpty ? nil : ramp.map { RampPoint($0.time, $0.snapshot) },
            environment: description.environment, behaviours: Self.behaviours(plan, report),
            scenarios: Self.scenarios(description, plan, report))
        measuredFrom = description.measuredFrom
        shards = description.shard.map {
            Shards(
                count: $0.share.count, indices: [$0.share.index], run: plan.run, source: $0.source)
        }
        endReason = description.endReason
        commandTable = report.schema.map { SchemaRecord($0) }
        judge(description.thresholds)
    }

    static func evidence(_ violations: [Violation]) -> [Evidence] {
        violations.map {
            Evidence(
                kind: $0.kind.rawValue, story: $0.story, line: shown($0.line),
                timeNanoseconds: $0.time)
        }
    }

    /// Returns the number of operators that run scenarios and therefore have no room to reach.
    private static func executors(_ description: LoadDescription) -> Int {
        let (plan, share) = (description.plan, description.options.share)
        return plan.operators(share) - plan.layout.operators(share).count
    }

    private static func scenarios(
        _ description: LoadDescription, _ plan: FleetPlan, _ report: WorkerReport
    ) -> [LoadScenarioResult]? {
        if report.scenarios.isEmpty { return nil }
        let share = description.options.share
        return zip(plan.scripts, report.scenarios).map { script, tally in
            LoadScenarioResult(
                name: script.name, file: script.path, title: script.title,
                groups: script.groups(share),
                operators: script.groups(share) * script.groupSize, started: tally.started,
                passed: tally.passed,
                failed: tally.failed, undecided: tally.undecided, unfinished: tally.unfinished,
                waited: tally.waited, response: LatencyDistribution(tally.response),
                service: LatencyDistribution(tally.service),
                steps: tally.steps.sorted { left, right in
                    (left.key.line, left.key.text, left.key.behaviour ?? "")
                        < (right.key.line, right.key.text, right.key.behaviour ?? "")
                }.map { location, times in
                    LoadScenarioResult.Step(
                        line: location.line, text: location.text, behaviour: location.behaviour,
                        response: LatencyDistribution(times.response),
                        service: LatencyDistribution(times.service))
                },
                failures: tally.failures.sorted { $0.key < $1.key }.map {
                    LoadScenarioResult.FailedLine(line: $0.key, count: $0.value)
                },
                reasons: tally.reasons)
        }
    }

    private static func behaviours(
        _ plan: FleetPlan, _ report: WorkerReport
    ) -> [MisbehavingOperators]? {
        let all = zip(plan.kinds, report.behaviours).compactMap {
            kind, tally -> MisbehavingOperators? in
            guard let behaviour = kind.behaviour, behaviour.role != .ordinary else { return nil }
            return MisbehavingOperators(
                name: kind.name, behaviour: behaviour.summary, operators: tally.operators,
                ready: tally.ready, failed: tally.failed, disconnected: tally.disconnected,
                refused: tally.refused,
                sent: tally.sent, arrived: tally.arrived, bytesReceived: tally.bytesReceived,
                departures: tally.departures, returns: tally.returns,
                returnsFailed: tally.returnsFailed,
                latencies: latencies(tally.recorder, plan.operatorScript),
                evidence: tally.evidence.map {
                    Evidence(story: $0.story, line: shown($0.line))
                })
        }
        return all.isEmpty ? nil : all
    }

    private static func latencies(
        _ recorder: LatencyRecorder, _ operatorScript: OperatorScript
    ) -> [Latency] {
        LatencyMetric.allCases.compactMap { metric in
            guard let response = recorder.response(metric) else { return nil }
            return Latency(
                metric: metric.name,
                command: metric.action.flatMap { operatorScript.commands[$0] },
                response: LatencyDistribution(response),
                service: recorder.service(metric).map { LatencyDistribution($0) })
        }
    }

    /// Returns a line for display, with non-ASCII bytes as `\xHH`; nil if it is empty.
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

extension LatencyMetric {
    /// The operators' action that the metric belongs to; nil if it does not belong to one.
    var action: LoadAction? {
        switch self {
        case .connect, .login, .step, .iteration: nil
        case .probe: .probe
        case .relay: .relay
        case .say, .sayFirst, .sayMedian, .sayLast, .saySpread: .say
        }
    }
}

extension RequestedLoad {
    init(_ description: LoadDescription) {
        let (plan, options) = (description.plan, description.options)
        self.init(
            operators: plan.operators(options.share),
            rooms: plan.layout.operators > 0 ? plan.layout.rooms(options.share).count : 0,
            model: plan.model.word,
            ratePerSecond: description.rate, durationNanoseconds: options.duration,
            warmupNanoseconds: options.warmup, rampNanoseconds: options.ramp,
            batchIntervalNanoseconds: plan.batchInterval,
            textBytes: plan.operatorScript.widths.text,
            workers: description.workers, seed: plan.seed,
            mix: Dictionary(
                plan.mix.weights.map { ($0.action.name, $0.weight) }, uniquingKeysWith: +),
            plan: description.planName, stages: Self.stages(description),
            kinds: Self.kinds(plan, options.share),
            processes: description.processes > 1 ? description.processes : nil,
            rateChanges: description.rateChanges.isEmpty
                ? nil
                : description.measuredChanges.map {
                    RequestedLoad.RateChange(
                        timeNanoseconds: $0.time, factor: $0.factor,
                        action: $0.action == .scale ? nil : $0.action.rawValue)
                })
    }

    private static func stages(_ description: LoadDescription) -> [RequestedLoad.Stage]? {
        let share = description.options.share
        let stages = description.stages
        if stages.isEmpty { return nil }
        if stages.count == 1, stages[0].startRate == stages[0].endRate { return nil }
        return stages.map {
            RequestedLoad.Stage(
                durationNanoseconds: $0.duration,
                startPerSecond: $0.startRate / Double(share.count),
                endPerSecond: $0.endRate / Double(share.count), name: $0.name)
        }
    }

    private static func kinds(_ plan: FleetPlan, _ share: LoadShare) -> [String: Int]? {
        if plan.kinds.isEmpty, plan.scripts.count < 2 { return nil }
        var counts = plan.layout.operators(share).reduce(into: [String: Int]()) { counts, number in
            if let kind = plan.kind(of: number) { counts[kind.name, default: 0] += 1 }
        }
        for script in plan.scripts {
            counts[script.name, default: 0] += script.groups(share) * script.groupSize
        }
        return counts
    }
}

extension LoadResults.Traffic {
    init(_ counts: FleetCounts, measured: Int64) {
        self.init(
            measuredNanoseconds: measured, sent: counts.sent, unsent: counts.unsent,
            sentEver: counts.sentEver, answered: counts.answered, owed: counts.owed,
            delivered: counts.delivered, indefinite: counts.indefinite,
            foreign: counts.foreign, lines: counts.lines, otherLines: counts.otherLines,
            bytesSent: counts.bytesSent, bytesReceived: counts.bytesReceived)
    }
}

extension LoadResults.Second {
    init(_ number: Int, _ second: LoadSecond) {
        self.init(
            second: number, sent: second.sent, arrived: second.arrived,
            violations: second.violations,
            latencies: Dictionary(
                uniqueKeysWithValues: second.latencies.map {
                    ($0.key.name, LatencyDistribution($0.value))
                }))
    }
}

extension LoadResults.RampPoint {
    init(_ time: Int64, _ snapshot: LoadSnapshot) {
        self.init(
            timeNanoseconds: time, connected: snapshot.connected, ready: snapshot.ready,
            failed: snapshot.failed)
    }
}
