import Foundation
import LineProtocol
import Report

@testable import Results

/// Load results with every feature of the reports.
enum LoadSample {
    static let seconds = 24

    /// A passed load.
    static let fine = results()

    /// A failed load, with texts that would be harmful if reports did not escape them.
    static let troubled: LoadResults = {
        var results = LoadSample.results(slowness: 3)
        results.operators.ready = 38
        results.operators.failed = 2
        results.operators.failures = [
            .init(story: "lj0000003: the server closed the connection", line: "ERROR :<b>full</b>")
        ]
        results.traffic.delivered -= 5
        results.ledger.violations = ["lost": 4, "duplicate": 1, "leaked": 2]
        results.ledger.evidence = [
            .init(
                kind: "lost", story: "lj000002 never received 4 messages from lj000001",
                timeNanoseconds: 9_100_000_000),
            .init(
                kind: "leaked", story: "lj000009 received a message for another room",
                line: ":lj000001 PRIVMSG #r :<script>alert(1)</script>\\xff",
                timeNanoseconds: 3_200_000_000),
        ]
        results.generator.limits = [
            "the load generator was the bottleneck: 1% of sends were more than 12 ms late"
        ]
        results.generator.listenOverflows = 3
        for index in 10..<13 { results.seconds[index].violations = 2 }
        results.interruption = "interrupted"
        results.behaviours = behaviours(results)
        var table = SchemaSample.report
        table.sampledOneOf = 251
        results.commandTable = SchemaRecord(table)
        return judged(
            results,
            ["p99(say) < 5ms", "lost <= 3", "rate >= 99%", "p99(relay) < 1s", "schema == 0"])
    }()

    /// Ten slow readers, two of them disconnected by the server, and five operators that reconnect.
    static func behaviours(_ results: LoadResults) -> [MisbehavingOperators] {
        [
            MisbehavingOperators(
                name: "slow", behaviour: "slow-reader, 100 B/s", operators: 10, ready: 10,
                failed: 0,
                disconnected: 2, refused: 1, sent: 0, arrived: 1_234, bytesReceived: 98_765,
                departures: 0,
                returns: 0, returnsFailed: 0,
                latencies: results.latencies.filter { ["login", "say"].contains($0.metric) },
                evidence: [
                    .init(
                        story: "the server closed the connection to lj000004",
                        line: "ERROR :<i>SendQ</i> exceeded")
                ]),
            MisbehavingOperators(
                name: "guests", behaviour: "reconnecting by reset", operators: 5, ready: 5,
                failed: 0,
                disconnected: 0, refused: 0, sent: 321, arrived: 7_000, bytesReceived: 560_000,
                departures: 25, returns: 24, returnsFailed: 1, latencies: [], evidence: []),
        ]
    }

    /// A load in which no operator could log in.
    static let nothing: LoadResults = {
        var results = fine
        results.latencies = []
        results.seconds = []
        results.operators.ready = 0
        results.traffic = .init(
            measuredNanoseconds: 0, sent: 0, unsent: 0, sentEver: 0, answered: 0, owed: 0,
            delivered: 0, indefinite: 0, foreign: 0, lines: 0, otherLines: 0, bytesSent: 0,
            bytesReceived: 0)
        return judged(results, [])
    }()

    /// Ramp of forty operators in two seconds.
    static let ramp = (0...20).map { step in
        LoadResults.RampPoint(
            timeNanoseconds: Int64(step) * 100_000_000, connected: step * 2,
            ready: max(0, step * 2 - 1), failed: step > 10 ? 1 : 0)
    }

    static func judged(_ results: LoadResults, _ thresholds: [String]) -> LoadResults {
        var results = results
        let parsed = thresholds.compactMap { try? Threshold($0) }
        results.judge(parsed)
        return results
    }

    /// A load of forty operators; latencies are multiplied by `slowness`.
    static func results(slowness: Double = 1, seed: UInt64 = 1) -> LoadResults {
        var random = SeededRandom(seed: seed)
        var all: [LatencyMetric: LatencyHistogram] = [:]
        var seconds: [LoadResults.Second] = []
        for number in 0..<Self.seconds {
            // The server is slow for two seconds.
            let pause = number == 11 || number == 12 ? 8.0 : 1
            var interval = LatencyHistogram()
            for _ in 0..<200 {
                let first = (0.2 + random.nextExponential() * 0.4) * 1e6 * slowness * pause
                let spread = random.nextExponential() * 0.9e6 * slowness * pause
                for index in 0..<9 {
                    interval.record(Int64(first + spread * Double(index) / 8))
                }
                all[.sayFirst, default: LatencyHistogram()].record(Int64(first))
                all[.sayMedian, default: LatencyHistogram()].record(Int64(first + spread / 2))
                all[.sayLast, default: LatencyHistogram()].record(Int64(first + spread))
                all[.saySpread, default: LatencyHistogram()].record(Int64(spread))
            }
            all[.say, default: LatencyHistogram()].merge(interval)
            seconds.append(
                .init(
                    second: number, sent: 200, arrived: 1_800, violations: 0,
                    latencies: ["say": .init(interval)]))
        }
        for number in 1...40 {
            all[.connect, default: LatencyHistogram()].record(Int64(number) * 100_000)
            all[.login, default: LatencyHistogram()].record(Int64(number) * 350_000)
        }
        return judged(assembled(all, seconds), ["p99(say) < 50ms", "rate >= 99%"])
    }

    private static func assembled(
        _ all: [LatencyMetric: LatencyHistogram], _ seconds: [LoadResults.Second]
    ) -> LoadResults {
        let sent = UInt64(seconds.count) * 200
        let time = Int64(seconds.count) * 1_000_000_000
        return LoadResults(
            toolVersion: "0.1.0", startedAt: 1_790_000_000, server: "irc://127.0.0.1:6667",
            dialect: "irc", requested: requested(time),
            operators: LoadResults.Operators(
                ready: 40, failed: 0, unconnected: 0, unconnectedHere: 0, failures: []),
            traffic: LoadResults.Traffic(
                measuredNanoseconds: time, sent: sent, unsent: 0, sentEver: sent + 200,
                answered: 0, owed: sent * 9, delivered: sent * 9, indefinite: 0, foreign: 0,
                lines: sent * 9, otherLines: 120, bytesSent: sent * 90, bytesReceived: sent * 900),
            latencies: LatencyMetric.allCases.compactMap { metric in
                all[metric].map { latency(metric, $0) }
            },
            ledger: LoadResults.Ledger(violations: [:], givenUp: 0, evidence: []),
            generator: generator(sent), seconds: seconds)
    }

    private static func requested(_ time: Int64) -> RequestedLoad {
        RequestedLoad(
            operators: 40, rooms: 4, model: "open", ratePerSecond: 200, durationNanoseconds: time,
            warmupNanoseconds: 1_000_000_000, rampNanoseconds: 2_000_000_000,
            batchIntervalNanoseconds: 1_000_000, textBytes: 64, workers: 1, seed: 7, mix: ["say": 1]
        )
    }

    private static func latency(
        _ metric: LatencyMetric, _ times: LatencyHistogram
    ) -> LoadResults.Latency {
        let distribution = LatencyDistribution(times)
        return LoadResults.Latency(
            metric: metric.name, command: metric == .say ? "PRIVMSG" : nil,
            response: distribution, service: metric == .say ? distribution : nil)
    }

    private static func generator(_ sent: UInt64) -> LoadResults.Generator {
        var lateness = LatencyHistogram()
        for number in 1...sent { lateness.record(Int64(number % 400) * 1_000) }
        return LoadResults.Generator(
            lateness: LatencyDistribution(lateness), late: 0, blocked: 2, dropped: 0,
            processorNanoseconds: 2_400_000_000, processorShare: 0.1, limits: [])
    }
}

extension SeededRandom {
    /// A number drawn from an exponential distribution with mean 1.
    fileprivate mutating func nextExponential() -> Double { -log(1 - nextFraction()) }
}
