import Diagnostics
package import Results

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
    struct Promise {
        var `class`: String
        var mark: String
        var text: String
        var value: String
        var word: String
    }

    struct Figure {
        var title: String
        var caption: String
        var figure: String
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
        tiles = Tile.all(results)
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
        personas = (results.personas ?? []).map(PersonaRow.init)
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
        _ verdict: Verdict
    ) -> (class: String, mark: String, word: String) {
        switch verdict {
        case .passed: ("passed", "✓", "Passed")
        case .failed: ("failed", "✗", "Failed")
        default: ("inconclusive", "?", "Inconclusive")
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

    private static func promise(_ result: LoadResults.ThresholdResult) -> Promise {
        let look = look(result.verdict)
        let word =
            switch result.verdict {
            case .passed: "kept"
            case .failed: "not kept"
            default: "not decided"
            }
        return Promise(
            class: look.class, mark: look.mark, text: escapedForDisplay(result.text),
            value: LoadSummary.shown(result) ?? "nothing", word: word)
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
