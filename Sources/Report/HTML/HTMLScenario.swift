import Diagnostics
import Results

/// Template data for a scenario.
struct HTMLScenario {
    /// A diagnostic, split into its headline and details.
    struct Problem {
        var head: String
        var rest: String
    }

    /// A specification rule cited by the failed step.
    struct Rule {
        var summary: String
        var quote: String?
    }

    /// A transcript line.
    struct Row {
        var `class`: String
        var time: String
        var operatorName: String
        var arrow: String
        var direction: String
        var text: String
        var payload: String?
        var note: String?
    }

    var `class`: String
    var anchor: String
    var isOpen: Bool
    var mark: String
    var word: String
    var title: String
    var location: String
    var time: String
    var reason: String?
    var diagnostics: [Problem]
    var hasRules: Bool
    var rules: [Rule]
    var facts: [PageHead.Fact]
    var hasTranscript: Bool
    var transcriptCount: String
    var transcript: [Row]
    var omitted: String?
    var serverOutput: String?

    init(_ result: ScenarioResult, index: Int, isOpen: Bool) {
        let look = VerdictStyle(result.verdict)
        `class` = result.verdict.rawValue
        anchor = Self.anchor(index)
        self.isOpen = isOpen
        mark = look.mark
        word = look.word
        title = escapedForDisplay(result.fullTitle)
        location = escapedForDisplay(
            result.verdict.needsExplanation ? result.location : result.path)
        time = result.attempts > 0 ? durationText(result.duration) : ""
        reason = Self.reason(result)
        diagnostics = result.diagnostics.map(Self.problem)
        rules = result.rules.map {
            Rule(
                summary: escapedForDisplay($0.summary),
                quote: $0.quote.map { escapedForDisplay($0) })
        }
        hasRules = !rules.isEmpty
        facts = Self.facts(result)
        let lines = TranscriptLine.lines(
            of: result.transcript, decisive: result.focus?.entry)
        transcript = lines.prefix(HTMLReport.transcriptLinesMax).map(Row.init)
        hasTranscript = !lines.isEmpty
        transcriptCount = counted(lines.count, "line")
        let more = lines.count - transcript.count
        omitted = more > 0 ? "\(counted(more, "more line")) in the results file (JSON)" : nil
        serverOutput = Self.serverOutput(result)
    }

    static func anchor(_ index: Int) -> String { "scenario-\(index + 1)" }

    private static func reason(_ result: ScenarioResult) -> String? {
        let reason = result.reason
        if reason.isEmpty || result.diagnostics.contains(where: { $0.message == reason }) {
            return nil
        }
        return escapedForDisplay(reason)
    }

    private static func problem(_ diagnostic: Diagnostic) -> Problem {
        let text = DiagnosticRenderer().text(diagnostic)
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return Problem(
            head: String(lines.first ?? ""),
            rest: lines.count > 1 ? String(lines[1].dropLast()) : "")
    }

    private static func facts(_ result: ScenarioResult) -> [PageHead.Fact] {
        var facts: [PageHead.Fact] = []
        func add(_ name: String, _ value: String) {
            if !value.isEmpty {
                facts.append(PageHead.Fact(name: name, value: escapedForDisplay(value)))
            }
        }
        add("dialect", result.dialect)
        if result.segmentation != .whole { add("segmentation", result.segmentation.word) }
        add("tags", result.tags.joined(separator: ", "))
        if result.attempts > 0 { add("steps run", String(result.stepsRun)) }
        if result.attempts > 1 { add("attempts", String(result.attempts)) }
        if result.isTimingBased { add("decided by", "timeout") }
        return facts
    }

    private static func serverOutput(_ result: ScenarioResult) -> String? {
        if result.serverOutput.isEmpty { return nil }
        return result.serverOutput.split(separator: UInt8(ascii: "\n"))
            .map { escapedForDisplay($0) }.joined(separator: "\n")
    }
}

extension HTMLScenario.Row {
    init(_ line: TranscriptLine) {
        switch line.arrow {
        case "→": (`class`, direction) = ("sent", "sent")
        case "←": (`class`, direction) = ("received", "received")
        default: (`class`, direction) = ("event", "event")
        }
        if line.isDecisive { `class` += " decisive" }
        time = line.time
        operatorName = line.operatorName
        arrow = line.arrow
        text = line.text
        payload = line.payload
        note = line.note
    }
}
