import Diagnostics
import Results

/// The figures of a load's page but for the percentile curve, as far as there is something to show.
struct LoadFigures {
    private let results: LoadResults
    private let charts: LoadCharts

    init(_ results: LoadResults) {
        self.results = results
        charts = LoadCharts(results: results)
    }

    /// All of them, in their order.
    var all: [LoadHTMLPage.Figure] {
        get throws { try heatMaps + rate + fanOut + ramp }
    }

    /// A short piece of a line, for a legend.
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
                        "The stronger the colour, the more took so long. \(Self.swatch("s1"))half, "
                        + "\(Self.swatch("s2"))99 of 100 took at most; dots are the longest.",
                    figure: LoadCharts.heatMap(columns, named: measure.name))
            }
        }
    }

    private var rate: [LoadHTMLPage.Figure] {
        get throws {
            let columns = try charts.columns(nil)
            guard !columns.isEmpty else { return [] }
            let asked = self.asked
            let measured = Double(results.traffic.measuredNanoseconds) / 1e9
            let isBroken = columns.contains { $0.violations > 0 }
            return [
                LoadHTMLPage.Figure(
                    title: "Rate",
                    caption: "\(Self.swatch("s1"))sent"
                        + (asked.isEmpty ? "" : " \(Self.swatch("s2 dashed"))asked")
                        + (isBroken ? "; red dots: violations were found" : ""),
                    figure: LoadCharts.rates(columns, asked: asked, measured: measured))
            ]
        }
    }

    /// The corners of the line of the rate that was asked for.
    private var asked: [(time: Double, rate: Double)] {
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
                caption: "\(Self.swatch("s1 dashed"))connected \(Self.swatch("s3"))in their rooms",
                figure: LoadCharts.ramp(points, operators: results.asked.operators))
        ]
    }

    private var fanOut: [LoadHTMLPage.Figure] {
        get throws {
            let rows: [(String, Measure)] = [
                ("first member", .sayFirst), ("half of them", .sayMedian),
                ("last member", .sayLast), ("between", .saySpread),
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
                        "Until the first, half and the last of a room's members had a text, and between "
                        + "first and last. Bars: from the 10th to the 90th percentile; strokes: the "
                        + "median; dots: the 99th; lines: all but the quickest one of 100.",
                    figure: LoadCharts.fanOut(found))
            ]
        }
    }
}

/// Names and values in tables.
enum LoadFacts {
    static func generator(_ results: LoadResults) -> [PageHead.Fact] {
        let generator = results.generator
        var facts = [
            fact(
                "sends were late",
                "\(time(generator.lateness.p99)) at p99, "
                    + "\(time(generator.lateness.max)) at most; \(grouped(generator.late)) by more than 10 ms"
            ),
            fact(
                "processor time",
                "\(time(UInt64(clamping: generator.processorNanoseconds))), "
                    + "\(shortPercent(generator.processorShare * 100)) of "
                    + counted(results.asked.workers, "core")),
            fact("writes held up", grouped(generator.blocked)),
            fact("sends dropped", grouped(generator.dropped)),
        ]
        if let overflows = generator.listenOverflows {
            facts.append(fact("overflows of a listening queue", grouped(overflows)))
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
                fact("rate", decimal(whole(rate * 10), per: 10, places: 1) + "/s"))
        }
        if let changes = asked.rateChanges {
            let words = changes.map { change in
                "x\(decimal(whole(change.factor * 100), per: 100, places: 2)) after "
                    + durationText(max(change.timeNanoseconds, 0))
            }
            facts.append(fact("rate changed by hand", words.joined(separator: ", ")))
        }
        if let kinds = asked.kinds {
            let words = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            facts.append(fact("kinds", words.joined(separator: ", ")))
        }
        facts += [
            fact("what they do", mix.joined(separator: ", ")),
            fact("bytes of a text", String(asked.textBytes)),
            fact("ramp", durationText(asked.rampNanoseconds)),
            fact("warm-up", durationText(asked.warmupNanoseconds)),
            fact("measured", durationText(asked.durationNanoseconds)),
            fact("quantum", durationText(asked.quantumNanoseconds)),
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
