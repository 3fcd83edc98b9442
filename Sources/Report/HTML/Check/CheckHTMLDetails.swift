import Diagnostics
import LineProtocol
import Results

/// Template data for a check that did not pass.
struct CheckHTMLDetails {
    var `class`: String
    var anchor: String
    var isOpen: Bool
    var mark: String
    var word: String
    var server: String?
    var id: String
    var claim: String
    var reason: String?
    var hasFinding: Bool
    var expected: String
    var got: String
    var rule: String?
    var quote: String?
    var facts: [PageHead.Fact]
    var hasSent: Bool
    var sent: [String]
    var scenario: String?
    var hasTranscript: Bool
    var transcriptCount: String
    var transcript: [HTMLScenario.Row]
    var omitted: String?

    init(_ check: CheckResult, of server: String?, at index: Int, isOpen: Bool) {
        let look = VerdictStyle(check.verdict)
        `class` = check.verdict.rawValue
        anchor = Self.anchor(check, index)
        self.isOpen = isOpen
        mark = look.mark
        word = look.checkWord.lowercased()
        self.server = server.map { escapedForDisplay($0) }
        id = escapedForDisplay("\(check.id)")
        claim = escapedForDisplay(check.claim)
        hasFinding = check.finding != nil
        expected = escapedForDisplay(check.finding?.expected ?? "")
        got = escapedForDisplay(check.finding?.got ?? "")
        let isRedundant = check.reason.isEmpty || check.reason == check.finding?.got
        reason = isRedundant ? nil : escapedForDisplay(check.reason)
        rule = Self.rule(check)
        quote = check.clause.flatMap { $0.quote.isEmpty ? nil : escapedForDisplay($0.quote) }
        facts = Self.facts(check)
        sent = check.stimulus.prefix(Self.sentLinesMax).map { $0 }
        hasSent = !sent.isEmpty
        scenario = check.scenario.map { text in
            text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { escapedForDisplay(String($0)) }.joined(separator: "\n")
        }
        let lines = TranscriptLine.lines(of: check.transcript)
        transcript = lines.prefix(HTMLReport.transcriptLinesMax).map(HTMLScenario.Row.init)
        hasTranscript = !lines.isEmpty
        transcriptCount = counted(lines.count, "line")
        let more = lines.count - transcript.count
        omitted = more > 0 ? "\(counted(more, "more line")) in the results file (JSON)" : nil
    }

    /// Maximum number of sent lines shown.
    private static let sentLinesMax = 20

    /// Returns the anchor for links to a check on a server.
    static func anchor(_ check: CheckResult, _ serverIndex: Int) -> String {
        let letters = "\(check.id)".map { letter -> Character in
            letter.isASCII && (letter.isLetter || letter.isNumber || ".-_".contains(letter))
                ? letter : "-"
        }
        return "server-\(serverIndex + 1)-\(String(letters))"
    }

    private static func rule(_ check: CheckResult) -> String? {
        guard let clause = check.clause else {
            return check.level == .robustness
                ? "Required of any protocol (robustness)." : nil
        }
        let section = clause.section.isEmpty ? "" : " §\(clause.section)"
        return escapedForDisplay("\(clause.document)\(section) (\(check.level.rawValue))")
    }

    private static func facts(_ check: CheckResult) -> [PageHead.Fact] {
        var facts: [PageHead.Fact] = []
        func add(_ name: String, _ value: String) {
            guard !value.isEmpty else { return }
            facts.append(PageHead.Fact(name: name, value: escapedForDisplay(value)))
        }
        add("case", check.caseTitle)
        add("dialect setting", check.basis)
        if let location = check.basisLocation {
            add("dialect file", "\(location.file):\(location.line)")
        }
        if let rate = check.rate {
            let low = Int(rate.interval.lowerBound * 100)
            let high = Int(rate.interval.upperBound * 100)
            add(
                "failed",
                "\(rate.failures) of \(rate.runs) times (95% CI: \(low)–\(high)%)")
        }
        if check.segmentation != .whole { add("segmentation", check.segmentation.word) }
        if check.isTimingBased { add("decided by", "timeout") }
        add("scenario", check.scenarioPath ?? "")
        return facts
    }
}
