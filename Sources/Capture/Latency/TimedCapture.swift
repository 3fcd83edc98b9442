package import Results

/// A sink that collects the latencies of captured traffic, in the same form as the results of a
/// load test.
package struct TimedCapture: LatencySink, Sendable {
    let metrics: [TimedMetric]
    private var servers: Set<IPEndpoint> = []
    private(set) var slowAnswers = SlowAnswers()
    private var histograms: [LatencyHistogram?]
    /// The completed seconds.
    private var seconds: [LoadResults.Second] = []
    private var current: CurrentSecond?
    private var origin: Int64?
    private var latest: Int64 = 0
    /// The most recent latency and its metric, and the number of latencies so far.
    private(set) var last = (count: 0, nanoseconds: Int64(0), metric: 0)

    /// Maximum number of seconds that are reported individually. Later seconds count only in the
    /// totals.
    static let secondsMax = 86_400

    private struct CurrentSecond {
        var number: Int
        var sent: UInt64 = 0
        var arrived: UInt64 = 0
        var histograms: [Int: LatencyHistogram] = [:]
    }

    /// Maximum number of servers that are counted.
    private static let serversMax = 64

    package init(_ metrics: [TimedMetric]) {
        self.metrics = metrics
        histograms = Array(repeating: nil, count: metrics.count)
    }

    package mutating func met(_ server: IPEndpoint) {
        if servers.count < Self.serversMax { servers.insert(server) }
    }

    /// Address of the server or, if there are several, their number.
    package var server: String {
        if servers.count == 1, let one = servers.first { return one.text }
        return servers.count < Self.serversMax ? "\(servers.count) servers" : "many servers"
    }

    package mutating func requestSent(at time: Int64) {
        enter(time)
        current?.sent += 1
    }

    package mutating func took(_ nanoseconds: Int64, _ metric: Int, at time: Int64) {
        guard histograms.indices.contains(metric) else { return }
        last = (last.count + 1, nanoseconds, metric)
        if histograms[metric] == nil { histograms[metric] = LatencyHistogram() }
        histograms[metric]?.record(nanoseconds)
        enter(time)
        guard LatencyMetric(name: metrics[metric].name)?.isPerSecond ?? false else { return }
        current?.arrived += 1
        current?.histograms[metric, default: LatencyHistogram()].record(nanoseconds)
    }

    package mutating func wasSlow(_ answer: TimedAnswer) { slowAnswers.add(answer) }

    /// Advances to the second that contains `time`. Packets with an earlier time count in the
    /// current second.
    private mutating func enter(_ time: Int64) {
        let start = origin ?? time
        origin = start
        latest = max(latest, time)
        let number = Int((time &- start) / 1_000_000_000)
        guard let open = current else {
            current = CurrentSecond(number: max(0, number))
            return
        }
        guard number > open.number, seconds.count < Self.secondsMax else { return }
        finishSecond()
        current = CurrentSecond(number: number)
    }

    private mutating func finishSecond() {
        guard let open = current else { return }
        current = nil
        seconds.append(
            LoadResults.Second(
                second: open.number, sent: open.sent, arrived: open.arrived, violations: 0,
                latencies: Dictionary(
                    uniqueKeysWithValues: open.histograms.map {
                        (metrics[$0.key].name, LatencyDistribution($0.value))
                    })))
    }

    /// Returns the latencies as results.
    package func results(
        toolVersion: String, name: String, dialect: String, _ counts: CaptureCounts
    ) -> LoadResults {
        let capture = LoadResults.Capture(
            name: name, packets: counts.packets.packets, connections: counts.streams.connections,
            lines: counts.conversation.lines, broken: counts.conversation.broken,
            missingBytes: counts.streams.missingBytes)
        var whole = self
        whole.finishSecond()
        let start = origin ?? 0
        let duration = max(0, latest - start)
        let empty = LatencyDistribution(LatencyHistogram())
        let sent = whole.seconds.reduce(0) { $0 + $1.sent }
        var results = LoadResults(
            toolVersion: toolVersion, startedAt: start / 1_000_000_000, server: server,
            dialect: dialect,
            requested: RequestedLoad(
                operators: capture.connections, rooms: 0, model: "captured",
                durationNanoseconds: duration, warmupNanoseconds: 0, rampNanoseconds: 0,
                batchIntervalNanoseconds: 0, textBytes: 0, workers: 0, seed: 0, mix: [:]),
            operators: LoadResults.Operators(
                ready: 0, failed: 0, unconnected: 0, unconnectedHere: 0, failures: []),
            traffic: LoadResults.Traffic(
                measuredNanoseconds: duration, sent: sent, unsent: 0, sentEver: sent, answered: 0,
                owed: 0, delivered: 0, indefinite: 0, foreign: 0,
                lines: UInt64(clamping: capture.lines), otherLines: 0, bytesSent: 0,
                bytesReceived: 0),
            latencies: latencies,
            ledger: LoadResults.Ledger(violations: [:], givenUp: 0, evidence: []),
            generator: LoadResults.Generator(
                lateness: empty, late: 0, blocked: 0, dropped: 0, processorNanoseconds: 0,
                processorShare: 0, limits: []),
            seconds: whole.seconds)
        results.capture = capture
        if latencies.isEmpty {
            results.verdict = .inconclusive
            results.reasons = ["the capture contains nothing to measure"]
        }
        return results
    }

    private var latencies: [LoadResults.Latency] {
        metrics.indices.compactMap { index in
            histograms[index].map {
                LoadResults.Latency(
                    metric: metrics[index].name, command: metrics[index].command,
                    response: LatencyDistribution($0))
            }
        }
    }
}
