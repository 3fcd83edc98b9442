import Diagnostics
package import Results

/// A report on a load test, as a self-contained HTML page without external resources.
package enum LoadHTMLReport {
    /// Maximum number of violations shown as examples.
    static let evidenceMax = 30
    /// Maximum number of steps shown for each scenario.
    static let stepsMax = 60

    /// Renders the page.
    package static func text(_ results: LoadResults) throws -> String {
        try HTMLTemplates.page(LoadHTMLPage(results), "load")
    }
}

/// Template data for the report on a load test. The template refers to the properties by name.
struct LoadHTMLPage {
    /// A table row for a threshold.
    struct ThresholdRow {
        var `class`: String
        var mark: String
        var text: String
        var value: String
        var word: String
    }

    /// A chart with its title and caption.
    struct Figure {
        var title: String
        var caption: String
        var figure: String
        /// Columns of the value table that the figure shows, separated by spaces.
        var values = ""
    }

    /// A table row for a kind of violation.
    struct ViolationRow {
        var `class`: String
        var mark: String
        var name: String
        var count: String
    }

    /// A table row for an example of a violation.
    struct EvidenceRow {
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
    /// Progress of the load test; nil if it has ended.
    var progress: ProgressRow?
    var commands: [CommandButton]
    var hasCommands: Bool
    var tiles: [Tile]
    var search: SearchTable?
    var hasThresholds: Bool
    var thresholds: [ThresholdRow]
    var hasLatencies: Bool
    var hasService: Bool
    var percentiles: String?
    var latencies: [LatencyRow]
    var overTime: [Figure]
    var values: ValueTable?
    var processes: ProcessTable?
    var figures: [Figure]
    /// False if the latencies come from a capture.
    var isLoad: Bool
    var delivery: String
    var scenarios: [ScenarioTable]
    var hasBehaviours: Bool
    var behaviours: [BehaviourRow]
    var behaviourEvidence: [EvidenceRow]
    var violations: [ViolationRow]
    var evidence: [EvidenceRow]
    var omitted: String?
    var commandTable: SchemaTable?
    var hasGenerator: Bool
    var limits: [String]
    var generator: [PageHead.Fact]
    var configuration: [PageHead.Fact]

    init(_ results: LoadResults) throws {
        try self.init(results, LoadColumns(results.seconds))
    }

    /// - Parameters:
    ///   - columns: The figures over time, used instead of the seconds in the results.
    ///   - live: The state of the load test if it is still running.
    init(_ results: LoadResults, _ columns: LoadColumns, live: Live? = nil) throws {
        let style = VerdictStyle(results.verdict)
        `class` = results.verdict.rawValue
        mark = style.mark
        verdict = style.singular.prefix(1).uppercased() + style.singular.dropFirst()
        head = Self.head(results)
        progress = live.map(ProgressRow.init)
        commands = live.map(CommandButton.all) ?? []
        hasCommands = !commands.isEmpty
        hasGenerator = live == nil
        reasons = results.reasons.map { escapedForDisplay($0) }
        tiles = Tile.all(results, live)
        search = results.search.map(SearchTable.init)
        thresholds = results.thresholds.map(Self.threshold)
        hasThresholds = !thresholds.isEmpty
        (latencies, percentiles) = try Self.latencies(results)
        hasLatencies = !latencies.isEmpty
        hasService = results.latencies.contains { $0.service != nil }
        let timeline = LoadTimeline(results, columns, end: live?.timelineEnd ?? 0)
        let figures = LoadFigures(results, columns, timeline)
        overTime = figures.overTime
        let processes = LoadProcesses(results)
        values = ValueTable(columns, timeline, processes, LoadServerMetrics(results))
        self.processes = ProcessTable(processes)
        self.figures = try figures.others
        isLoad = results.capture == nil
        delivery = live.map(Self.delivery) ?? Self.delivery(results)
        scenarios = (results.scenarios ?? []).map(ScenarioTable.init)
        behaviours = (results.behaviours ?? []).map(BehaviourRow.init)
        hasBehaviours = !behaviours.isEmpty
        behaviourEvidence = (results.behaviours ?? []).flatMap { behaviour in
            behaviour.evidence.map { one in
                EvidenceRow(
                    kind: escapedForDisplay(behaviour.name), story: escapedForDisplay(one.story),
                    time: "", line: one.line.map { escapedForDisplay($0) })
            }
        }
        violations = Violation.Kind.allCases.map { kind in
            let count = results.violations(kind)
            return ViolationRow(
                class: count > 0 ? "failed" : "passed", mark: count > 0 ? "✗" : "✓",
                name: kind.rawValue, count: grouped(count))
        }
        evidence = Self.evidence(results)
        let more = results.ledger.evidence.count + results.operators.failures.count - evidence.count
        omitted = more > 0 ? "\(more) more in the results file (JSON)." : nil
        commandTable = SchemaTable(
            results.commandTable?.report, isFailure: results.brokenLinesFail)
        limits = results.generator.limits.map { escapedForDisplay($0) }
        generator = LoadFacts.generator(results)
        configuration = LoadFacts.configuration(results)
    }

    // MARK: The head

    static func head(_ results: LoadResults) -> PageHead {
        var head = PageHead(
            headline(results), kind: results.capture == nil ? "load" : "decode",
            toolVersion: escapedForDisplay(results.toolVersion), facts: facts(results),
            warning: results.interruption.map {
                "The load test was \(escapedForDisplay($0)) after "
                    + "\(durationText(results.traffic.measuredNanoseconds)): "
                    + "the figures cover only that period."
            })
        head.script = LoadScript.text
        head.policy = LoadScript.policy(isLive: false)
        return head
    }

    private static func headline(_ results: LoadResults) -> String {
        if let capture = results.capture {
            return "\(escapedForDisplay(capture.name)): "
                + counted(capture.connections, "connection")
        }
        let count = results.requested.operators
        let operators =
            count == 1 ? "1 operator" : "\(grouped(UInt64(clamping: count))) operators"
        let server = escapedForDisplay(results.server)
        return "\(operators) at \(server)"
    }

    private static func facts(_ results: LoadResults) -> [PageHead.Fact] {
        if let capture = results.capture { return facts(capture, results) }
        return [
            PageHead.Fact(name: "dialect", value: escapedForDisplay(results.dialect)),
            PageHead.Fact(name: "started", value: UTCTime(results.startedAt).text),
            PageHead.Fact(
                name: "measured", value: durationText(results.traffic.measuredNanoseconds)),
            PageHead.Fact(name: "seed", value: String(results.requested.seed)),
        ]
    }

    private static func facts(
        _ capture: LoadResults.Capture, _ results: LoadResults
    ) -> [PageHead.Fact] {
        [
            PageHead.Fact(name: "server", value: escapedForDisplay(results.server)),
            PageHead.Fact(name: "dialect", value: escapedForDisplay(results.dialect)),
            PageHead.Fact(name: "started", value: UTCTime(results.startedAt).text),
            PageHead.Fact(
                name: "captured", value: durationText(results.traffic.measuredNanoseconds)),
            PageHead.Fact(name: "packets", value: grouped(UInt64(clamping: capture.packets))),
            PageHead.Fact(name: "lines", value: grouped(UInt64(clamping: capture.lines))),
            PageHead.Fact(
                name: "invalid lines",
                value: grouped(UInt64(clamping: capture.broken))),
        ]
    }

    private static func threshold(_ result: LoadResults.ThresholdResult) -> ThresholdRow {
        let style = VerdictStyle(result.verdict)
        return ThresholdRow(
            class: result.verdict.rawValue, mark: style.mark,
            text: escapedForDisplay(result.text),
            value: LoadSummary.shown(result) ?? "no samples", word: style.singular)
    }

    // MARK: Delivery

    private static func delivery(_ results: LoadResults) -> String {
        let traffic = results.traffic
        var parts = [results.deliveriesText, results.answersText].compactMap(\.self)
        if traffic.indefinite > 0 {
            parts.append(
                "\(grouped(traffic.indefinite)) unknown due to lost connections")
        }
        if traffic.unsent > 0 { parts.append("\(grouped(traffic.unsent)) could not be sent") }
        return parts.isEmpty ? "No deliveries were expected." : parts.joined(separator: ", ") + "."
    }

    private static func delivery(_ live: Live) -> String {
        let snapshot = live.snapshot
        return "\(grouped(snapshot.sent)) sent, \(grouped(snapshot.arrived)) received, "
            + "\(grouped(UInt64(max(snapshot.open, 0)))) in flight."
    }

    private static func evidence(_ results: LoadResults) -> [EvidenceRow] {
        let failures = results.operators.failures.map { failure in
            EvidenceRow(
                kind: "did not join", story: escapedForDisplay(failure.story), time: "",
                line: failure.line.map { escapedForDisplay($0) })
        }
        let violations = results.ledger.evidence.map { one in
            EvidenceRow(
                kind: escapedForDisplay(one.kind ?? ""), story: escapedForDisplay(one.story),
                time: one.timeNanoseconds.map { "after \(durationText($0))" } ?? "",
                line: one.line.map { escapedForDisplay($0) })
        }
        return Array((failures + violations).prefix(LoadHTMLReport.evidenceMax))
    }
}
