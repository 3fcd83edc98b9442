import Diagnostics
import Results

/// The charts in the report on a load, except for the percentile chart. Charts without data are
/// left out.
struct LoadFigures {
    private let results: LoadResults
    private let charts: LoadCharts

    init(_ results: LoadResults) {
        self.results = results
        charts = LoadCharts(results: results)
    }

    /// All charts, in order.
    var all: [LoadHTMLPage.Figure] {
        get throws { try heatMaps + rate + fanOut + ramp }
    }

    /// Returns a short line for a legend.
    static func swatch(_ line: String) -> String {
        """
        <svg aria-hidden="true" viewBox="0 0 26 10" width="26" height="10"><path class="swatch \(line)" \
        stroke="#0860ca" stroke-width="3" d="M1 5H25"/></svg>
        """
    }

    private var heatMaps: [LoadHTMLPage.Figure] {
        get throws {
            let measures = Measure.allCases.filter { measure in
                measure.isPerSecond
                    && results.seconds.contains { $0.latencies[measure.name] != nil }
            }
            return try measures.map { measure in
                let columns = try charts.columns(measure.name)
                return LoadHTMLPage.Figure(
                    title: "Latency over time: \(measure.name)",
                    caption:
                        "Stronger colour means more samples. \(Self.swatch("s1"))p50 "
                        + "\(Self.swatch("s2"))p99; dots: maximum",
                    figure: LoadCharts.heatMap(columns, named: measure.name))
            }
        }
    }

    private var rate: [LoadHTMLPage.Figure] {
        get throws {
            let columns = try charts.columns(nil)
            guard !columns.isEmpty else { return [] }
            let target = target
            let measured = Double(results.traffic.measuredNanoseconds) / 1e9
            let isBroken = columns.contains { $0.violations > 0 }
            return [
                LoadHTMLPage.Figure(
                    title: "Rate",
                    caption: "\(Self.swatch("s1"))sent"
                        + (target.isEmpty ? "" : " \(Self.swatch("s2 dashed"))target")
                        + (isBroken ? "; red dots: violations" : ""),
                    figure: LoadCharts.rates(columns, target: target, measured: measured))
            ]
        }
    }

    /// The corners of the line for the target rate.
    private var target: [(time: Double, rate: Double)] {
        guard let rate = results.asked.ratePerSecond else { return [] }
        guard let stages = results.asked.stages, !stages.isEmpty else {
            return [(0, rate), (Double(results.asked.durationNanoseconds) / 1e9, rate)]
        }
        var begin = 0.0
        return stages.flatMap { stage in
            let end = begin + Double(stage.durationNanoseconds) / 1e9
            defer { begin = end }
            return [(begin, stage.startPerSecond), (end, stage.endPerSecond)]
        }
    }

    private var ramp: [LoadHTMLPage.Figure] {
        guard let points = results.ramp, points.count > 1,
            points.contains(where: { $0.timeNanoseconds > 0 })
        else { return [] }
        return [
            LoadHTMLPage.Figure(
                title: "Connecting",
                caption: "\(Self.swatch("s1 dashed"))connected \(Self.swatch("s3"))in rooms",
                figure: LoadCharts.ramp(points, operators: results.asked.operators))
        ]
    }

    private var fanOut: [LoadHTMLPage.Figure] {
        get throws {
            let rows: [(String, Measure)] = [
                ("first member", .sayFirst), ("half the members", .sayMedian),
                ("last member", .sayLast), ("first to last", .saySpread),
            ]
            let found = try rows.compactMap { name, measure in
                try results.response(measure).map {
                    (name: name, times: SampleDistribution(try $0.decoded().values))
                }
            }
            guard !found.isEmpty else { return [] }
            return [
                LoadHTMLPage.Figure(
                    title: "Fan-out",
                    caption:
                        "Time until the first, half and the last of a room's members received a message, "
                        + "and the time between first and last. Bars: p10 to p90; strokes: p50; "
                        + "dots: p99; thin lines: p1 to max.",
                    figure: LoadCharts.fanOut(found))
            ]
        }
    }
}

/// Rows of the tables about the load generator and the configuration.
enum LoadFacts {
    static func generator(_ results: LoadResults) -> [PageHead.Fact] {
        let generator = results.generator
        var facts = [
            fact(
                "send delay",
                "p99 \(time(generator.lateness.p99)), max \(time(generator.lateness.max)); "
                    + "\(grouped(generator.late)) over 10 ms"
            ),
            fact(
                "CPU time",
                "\(time(UInt64(clamping: generator.processorNanoseconds))), "
                    + "\(shortPercent(generator.processorShare * 100)) of "
                    + counted(results.asked.workers, "core")),
            fact("blocked writes", grouped(generator.blocked)),
            fact("dropped sends", grouped(generator.dropped)),
        ]
        if let overflows = generator.listenOverflows {
            facts.append(fact("accept queue overflows", grouped(overflows)))
        }
        if let environment = results.environment {
            facts.append(
                fact(
                    "machine",
                    "\(environment.system), "
                        + counted(environment.processors, "processor")))
        }
        let traffic = results.traffic
        facts.append(
            fact(
                "traffic",
                "\(grouped(traffic.bytesSent)) bytes sent, "
                    + "\(grouped(traffic.bytesReceived)) received in \(grouped(traffic.lines)) lines"
            ))
        facts.append(fact("linejudge", results.toolVersion))
        return facts
    }

    static func asked(_ results: LoadResults) -> [PageHead.Fact] {
        let asked = results.asked
        let mix = asked.mix.sorted { $0.key < $1.key }.map { name, weight in
            weight == 1 ? name : "\(name)=\(weight)"
        }
        var facts =
            (asked.plan.map { [fact("plan", $0)] } ?? []) + [
                fact("operators", grouped(UInt64(clamping: asked.operators))),
                fact("rooms", grouped(UInt64(clamping: asked.rooms))),
                fact("model", asked.model),
            ]
        if let rate = asked.ratePerSecond {
            facts.append(
                fact("rate", decimal(whole(rate * 10), per: 10, digits: 1) + "/s"))
        }
        if let changes = asked.rateChanges {
            let words = changes.map { change in
                "x\(decimal(whole(change.factor * 100), per: 100, digits: 2)) after "
                    + durationText(max(change.timeNanoseconds, 0))
            }
            facts.append(fact("rate changed manually", words.joined(separator: ", ")))
        }
        if let kinds = asked.kinds {
            let words = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            facts.append(fact("operator kinds", words.joined(separator: ", ")))
        }
        facts += [
            fact("mix", mix.joined(separator: ", ")),
            fact("message size", counted(asked.textBytes, "byte")),
            fact("ramp", durationText(asked.rampNanoseconds)),
            fact("warm-up", durationText(asked.warmupNanoseconds)),
            fact("measured time", durationText(asked.durationNanoseconds)),
            fact("batching interval", durationText(asked.batchIntervalNanoseconds)),
            fact("workers", String(asked.workers)), fact("seed", String(asked.seed)),
        ]
        return facts
    }

    private static func time(_ nanoseconds: UInt64) -> String {
        durationText(Int64(clamping: nanoseconds))
    }

    private static func fact(_ name: String, _ value: String) -> PageHead.Fact {
        PageHead.Fact(name: name, value: escapedForDisplay(value))
    }
}
