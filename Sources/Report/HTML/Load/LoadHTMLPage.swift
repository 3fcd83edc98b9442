import Diagnostics
package import Load
import Session

/// A load as one page that needs nothing else: no script, no font, no picture from anywhere.
package enum LoadHTMLReport {
    /// How many pieces of evidence are shown.
    static let evidenceMax = 30
    /// How many steps of a scenario are shown.
    static let stepsMax = 60

    /// The page; ends with a line end.
    package static func text(_ results: LoadResults) throws -> String {
        try HTMLTemplates.page(LoadHTMLPage(results), "load")
    }
}

/// What the page's template asks for; it reads the names of the members.
struct LoadHTMLPage {
    struct Tile {
        var `class`: String
        var name: String
        var value: String
        var note: String
    }

    struct Promise {
        var `class`: String
        var mark: String
        var text: String
        var value: String
        var word: String
    }

    struct LatencyRow {
        var `class`: String
        var swatch: String
        var name: String
        var cells: [String]
    }

    struct Figure {
        var title: String
        var caption: String
        var figure: String
    }

    struct SearchRow {
        var `class`: String
        var mark: String
        var rate: String
        var outcome: String
        var purpose: String
        var measured: String
    }

    struct SearchTable {
        var summary: String
        var steps: [SearchRow]

        init(_ search: LoadResults.Search) {
            let rate = search.ratePerSecond.map(LoadSummary.rate)
            summary =
                (rate.map { "\($0) holds" } ?? "No rate held")
                + (search.brokenPerSecond.map { ", \(LoadSummary.rate($0)) does not" } ?? "")
                + (search.isBoundByGenerator ? "; there the generator was the limit." : ".")
            steps = search.steps.map { step in
                let looks = ["held": ("passed", "✓"), "broke": ("failed", "✗")]
                let look = looks[step.outcome] ?? ("inconclusive", "?")
                let figures = step.thresholds.map { result in
                    result.text + (LoadSummary.shown(result).map { ": \($0)" } ?? "")
                }
                return SearchRow(
                    class: look.0, mark: look.1, rate: LoadSummary.rate(step.ratePerSecond),
                    outcome: escapedForDisplay(step.outcome),
                    purpose: escapedForDisplay(step.purpose),
                    measured: escapedForDisplay((figures + step.reasons).joined(separator: "; ")))
            }
        }
    }

    struct ScenarioTable {
        var title: String
        var file: String
        var summary: String
        var steps: [StepRow]
        var omitted: String?
        var failures: [String]

        init(_ scenario: LoadResults.Scenario) {
            title = escapedForDisplay(scenario.title)
            file = escapedForDisplay(scenario.file)
            summary = LoadSummary.words(scenario).joined(separator: ", ") + "."
            let failed = Dictionary(
                scenario.failures.map { ($0.line, $0.count) }, uniquingKeysWith: +)
            let shown = scenario.steps.prefix(LoadHTMLReport.stepsMax)
            steps = shown.map { StepRow($0, failed: failed[$0.line] ?? 0) }
            let more = scenario.steps.count - shown.count
            omitted = more > 0 ? "The results file (JSON) has \(more) more steps." : nil
            let timed = Set(scenario.steps.map(\.line))
            failures =
                scenario.failures.filter { !timed.contains($0.line) }
                .map { "\(grouped($0.count)) failed at line \($0.line)" }
                + scenario.reasons.map { escapedForDisplay("not decided: \($0)") }
        }
    }

    struct StepRow {
        var `class`: String
        var line: String
        var text: String
        var behaviour: String?
        var cells: [String]

        init(_ step: LoadResults.ScenarioStep, failed: UInt64) {
            `class` = failed > 0 ? "failed" : "passed"
            line = String(step.line)
            text = escapedForDisplay(step.text)
            behaviour = step.behaviour.map { escapedForDisplay($0) }
            let times = step.response
            cells =
                [grouped(times.count), grouped(failed)]
                + [times.p50, times.p90, times.p99, times.max].map {
                    durationText(Int64(clamping: $0))
                }
        }
    }

    struct PersonaRow {
        var name: String
        var persona: String
        var cells: [String]
    }

    struct Violated {
        var `class`: String
        var mark: String
        var name: String
        var count: String
    }

    struct Proof {
        var kind: String
        var story: String
        var time: String
        var line: String?
    }

    var head: PageHead
    var `class`: String
    var mark: String
    var verdict: String
    var reasons: [String]
    var tiles: [Tile]
    var search: SearchTable?
    var hasThresholds: Bool
    var thresholds: [Promise]
    var hasLatencies: Bool
    var hasService: Bool
    var percentiles: String?
    var latencies: [LatencyRow]
    var overTime: [Figure]
    /// Whether a load was made; else the times are of a capture.
    var isLoad: Bool
    var delivery: String
    var scenarios: [ScenarioTable]
    var hasPersonas: Bool
    var personas: [PersonaRow]
    var personaEvidence: [Proof]
    var violations: [Violated]
    var evidence: [Proof]
    var omitted: String?
    var commandTable: SchemaTable?
    var limits: [String]
    var generator: [PageHead.Fact]
    var asked: [PageHead.Fact]

    init(_ results: LoadResults) throws {
        let look = Self.look(results.verdict)
        (`class`, mark, verdict) = look
        head = PageHead(
            Self.headline(results), kind: results.capture == nil ? "load" : "decode",
            toolVersion: escapedForDisplay(results.toolVersion), facts: Self.facts(results),
            warning: results.interruption.map {
                "The load was \(escapedForDisplay($0)) after "
                    + "\(durationText(results.traffic.measuredNanoseconds)): "
                    + "this is what was measured until then."
            })
        reasons = results.reasons.map { escapedForDisplay($0) }
        tiles = Self.tiles(results)
        search = results.search.map(SearchTable.init)
        thresholds = results.thresholds.map(Self.promise)
        hasThresholds = !thresholds.isEmpty
        (latencies, percentiles) = try Self.latencies(results)
        hasLatencies = !latencies.isEmpty
        hasService = results.latencies.contains { $0.service != nil }
        overTime = try LoadFigures(results).all
        isLoad = results.capture == nil
        delivery = Self.delivery(results)
        scenarios = (results.scenarios ?? []).map(ScenarioTable.init)
        personas = (results.personas ?? []).map(Self.row)
        hasPersonas = !personas.isEmpty
        personaEvidence = (results.personas ?? []).flatMap { persona in
            persona.evidence.map { one in
                Proof(
                    kind: escapedForDisplay(persona.name), story: escapedForDisplay(one.story),
                    time: "", line: one.line.map { escapedForDisplay($0) })
            }
        }
        violations = Violation.Kind.allCases.map { kind in
            let count = results.violations(kind)
            return Violated(
                class: count > 0 ? "failed" : "passed", mark: count > 0 ? "✗" : "✓",
                name: kind.rawValue, count: grouped(count))
        }
        evidence = Self.evidence(results)
        let more = results.ledger.evidence.count + results.operators.failures.count - evidence.count
        omitted = more > 0 ? "The results file (JSON) has \(more) more." : nil
        commandTable = SchemaTable(
            results.commandTable?.report, isFailure: results.brokenLinesFail)
        limits = results.generator.limits.map { escapedForDisplay($0) }
        generator = LoadFacts.generator(results)
        asked = LoadFacts.asked(results)
    }

    // MARK: The head

    private static func look(
        _ verdict: LoadResults.Verdict
    ) -> (class: String, mark: String, word: String) {
        switch verdict {
        case .passed: ("passed", "✓", "Passed")
        case .failed: ("failed", "✗", "Failed")
        case .inconclusive: ("inconclusive", "?", "Inconclusive")
        }
    }

    private static func headline(_ results: LoadResults) -> String {
        if let capture = results.capture {
            return "\(escapedForDisplay(capture.name)): "
                + counted(capture.connections, "connection")
        }
        let count = results.asked.operators
        let operators =
            count == 1 ? "1 operator" : "\(grouped(UInt64(clamping: count))) operators"
        let place = escapedForDisplay(results.server)
        return "\(operators) at \(place)"
    }

    private static func facts(_ results: LoadResults) -> [PageHead.Fact] {
        if let capture = results.capture { return facts(capture, results) }
        return [
            PageHead.Fact(name: "dialect", value: escapedForDisplay(results.dialect)),
            PageHead.Fact(name: "began", value: UTCTime(results.startedAt).text),
            PageHead.Fact(
                name: "measured", value: durationText(results.traffic.measuredNanoseconds)),
            PageHead.Fact(name: "seed", value: String(results.asked.seed)),
        ]
    }

    private static func facts(
        _ capture: LoadResults.Capture, _ results: LoadResults
    ) -> [PageHead.Fact] {
        [
            PageHead.Fact(name: "server", value: escapedForDisplay(results.server)),
            PageHead.Fact(name: "dialect", value: escapedForDisplay(results.dialect)),
            PageHead.Fact(name: "began", value: UTCTime(results.startedAt).text),
            PageHead.Fact(
                name: "captured", value: durationText(results.traffic.measuredNanoseconds)),
            PageHead.Fact(name: "packets", value: grouped(UInt64(clamping: capture.packets))),
            PageHead.Fact(name: "lines", value: grouped(UInt64(clamping: capture.lines))),
            PageHead.Fact(
                name: "lines that break the dialect",
                value: grouped(UInt64(clamping: capture.broken))),
        ]
    }

    private static func times(_ results: LoadResults) -> [Tile] {
        results.latencies.prefix(6).map { latency in
            Tile(
                class: "plain", name: "p99(\(escapedForDisplay(latency.measure)))",
                value: durationText(Int64(clamping: latency.response.p99)),
                note: "half within \(durationText(Int64(clamping: latency.response.p50)))")
        }
    }

    private static func tiles(_ results: LoadResults) -> [Tile] {
        if results.capture != nil { return times(results) }
        let traffic = results.traffic
        let asked = results.ratePercent.map { "\(shortPercent($0)) of what was asked" }
        let isReached = (results.ratePercent ?? 100) >= LoadResults.rateLeast
        var tiles = [
            Tile(
                class: results.operators.failed > 0 ? "failed" : "passed", name: "operators ready",
                value: grouped(results.operators.ready),
                note: "of \(grouped(UInt64(clamping: results.asked.operators)))"),
            Tile(
                class: isReached ? "passed" : "inconclusive", name: "sent a second",
                value: decimal(whole(traffic.rate * 10), per: 10, places: 1),
                note: asked ?? "\(grouped(traffic.sent)) sent"),
        ]
        if traffic.owed > 0 {
            tiles.append(
                Tile(
                    class: traffic.delivered >= traffic.owed ? "passed" : "failed",
                    name: "deliveries", value: grouped(traffic.delivered),
                    note: "of \(grouped(traffic.owed))"))
        }
        let violations = results.ledger.violations.values.reduce(0, &+)
        tiles.append(
            Tile(
                class: violations > 0 ? "failed" : "passed", name: "violations",
                value: grouped(violations), note: violations > 0 ? "see below" : "none of any kind")
        )
        for measure in [Measure.say, .relay, .probe, .step, .iteration] {
            guard let times = results.response(measure) else { continue }
            tiles.append(
                Tile(
                    class: "plain", name: "p99(\(measure.name))",
                    value: durationText(Int64(clamping: times.p99)),
                    note: "half within \(durationText(Int64(clamping: times.p50)))"))
        }
        return tiles
    }

    static func whole(_ value: Double) -> Int64 {
        value.isFinite ? Int64(min(max(value.rounded(), -9e18), 9e18)) : 0
    }

    private static func promise(_ result: LoadResults.ThresholdResult) -> Promise {
        let look = look(result.verdict)
        let word =
            switch result.verdict {
            case .passed: "kept"
            case .failed: "not kept"
            case .inconclusive: "not decided"
            }
        return Promise(
            class: look.class, mark: look.mark, text: escapedForDisplay(result.text),
            value: LoadSummary.shown(result) ?? "nothing", word: word)
    }

    // MARK: Latencies

    /// The lines of the percentile curve, by measure.
    private static let classes: [Measure: String] = [
        .say: "s1", .relay: "s1", .sayFirst: "s3", .sayLast: "s2", .probe: "s4",
        .step: "s5", .iteration: "s6",
    ]

    private static func latencies(_ results: LoadResults) throws -> ([LatencyRow], String?) {
        var rows: [LatencyRow] = []
        var curves: [LoadCharts.Curve] = []
        for latency in results.latencies {
            let measure = Measure(name: latency.measure)
            let line = measure.flatMap { classes[$0] }
            rows.append(
                row(
                    LoadSummary.name(latency), latency.response, line ?? "",
                    isPart: measure?.isPart == true))
            if let line, latency.response.count > 0 {
                curves.append(
                    LoadCharts.Curve(
                        name: latency.measure, class: line,
                        times: Spread(try latency.response.decoded().values)))
            }
            guard let service = latency.service, let line, service.count > 0 else { continue }
            var service1 = row("from the actual send", service, line + " dashed")
            service1.class = "service"
            rows.append(service1)
            curves.append(
                LoadCharts.Curve(
                    name: "\(latency.measure) from the actual send", class: line + " dashed",
                    times: Spread(try service.decoded().values)))
        }
        return (rows, curves.isEmpty ? nil : LoadCharts.percentiles(curves))
    }

    private static func row(
        _ name: String, _ times: LoadResults.Distribution, _ line: String, isPart: Bool = false
    ) -> LatencyRow {
        LatencyRow(
            class: isPart ? "part" : "", swatch: line.isEmpty ? "" : LoadFigures.swatch(line),
            name: escapedForDisplay(String(name.drop { $0 == " " })),
            cells: [grouped(times.count)]
                + [times.p50, times.p90, times.p99, times.p999, times.max].map {
                    durationText(Int64(clamping: $0))
                })
    }

    private static func row(_ persona: LoadResults.Persona) -> PersonaRow {
        let times = persona.latencies.first { ["say", "relay"].contains($0.measure) }?.response
        let login = persona.latencies.first { $0.measure == "login" }?.response
        func p99(_ times: LoadResults.Distribution?) -> String {
            times.map { durationText(Int64(clamping: $0.p99)) } ?? "–"
        }
        return PersonaRow(
            name: escapedForDisplay(persona.name), persona: escapedForDisplay(persona.persona),
            cells: [
                "\(grouped(persona.ready)) of \(grouped(persona.operators))",
                grouped(persona.cut),
                persona.departures > 0
                    ? "\(grouped(persona.returns)) of \(grouped(persona.departures))" : "–",
                grouped(persona.sent), grouped(persona.arrived), p99(login), p99(times),
            ])
    }

    // MARK: Delivery

    private static func delivery(_ results: LoadResults) -> String {
        let traffic = results.traffic
        var parts: [String] = []
        if traffic.owed > 0 {
            parts.append(
                "\(grouped(traffic.delivered)) of \(grouped(traffic.owed)) deliveries arrived")
        }
        if traffic.answered > 0 {
            parts.append("\(grouped(traffic.answered)) probes were answered")
        }
        if traffic.indefinite > 0 {
            parts.append(
                "\(grouped(traffic.indefinite)) are unknown because of lost connections")
        }
        if traffic.unsent > 0 { parts.append("\(grouped(traffic.unsent)) could not be sent") }
        return parts.isEmpty ? "Nothing was to arrive." : parts.joined(separator: ", ") + "."
    }

    private static func evidence(_ results: LoadResults) -> [Proof] {
        let failures = results.operators.failures.map { failure in
            Proof(
                kind: "not let in", story: escapedForDisplay(failure.story), time: "",
                line: failure.line.map { escapedForDisplay($0) })
        }
        let proofs = results.ledger.evidence.map { one in
            Proof(
                kind: escapedForDisplay(one.kind ?? ""), story: escapedForDisplay(one.story),
                time: one.timeNanoseconds.map { "after \(durationText($0))" } ?? "",
                line: one.line.map { escapedForDisplay($0) })
        }
        return Array((failures + proofs).prefix(LoadHTMLReport.evidenceMax))
    }
}

extension Measure {
    /// Whether it tells of a part of what another one tells.
    fileprivate var isPart: Bool {
        switch self {
        case .sayFirst, .sayMedian, .sayLast, .saySpread: true
        case .connect, .login, .probe, .relay, .say, .step, .iteration: false
        }
    }
}
