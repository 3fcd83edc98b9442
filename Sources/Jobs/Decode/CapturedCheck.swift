import Capture
import Conformance
import Diagnostics
import LineProtocol
import Results

/// A check of captured traffic: a requirement, and the dialect setting that it is based on.
struct CapturedCheck {
    let rule: CapturedRule
    let claim: String
    let setting: String
    /// The level, unless the dialect cites a clause for the setting.
    let level: RequirementLevel
    /// What the rule judges, as a singular and a plural noun.
    let judged: (one: String, more: String)

    var id: CheckID { CheckID("capture.\(rule.rawValue)") }

    private init(
        _ rule: CapturedRule, _ claim: String, basedOn setting: String,
        level: RequirementLevel = .policy, of judged: (String, String) = ("line", "lines")
    ) {
        self.rule = rule
        self.claim = claim
        self.setting = setting
        self.level = level
        self.judged = judged
    }

    static let all = [
        CapturedCheck(
            .length, "the server's lines are not longer than the maximum",
            basedOn: "framing.limits.line"),
        CapturedCheck(
            .framing, "the server's lines and payloads are complete", basedOn: "framing.terminator"),
        CapturedCheck(
            .characters, "the server's lines contain no forbidden characters", basedOn: "escaping"),
        CapturedCheck(.escapes, "the server escapes values correctly", basedOn: "escaping"),
        CapturedCheck(
            .commands, "the server's commands are in the command table", basedOn: "commands"),
        CapturedCheck(
            .arguments, "the server's arguments fit the command table", basedOn: "commands"),
        CapturedCheck(
            .answers,
            "probes are answered exactly once, and requests to enter a room are answered",
            basedOn: "behaviours.probe", level: .robustness, of: ("request", "requests")),
        CapturedCheck(
            .source, "messages name the client that sent them", basedOn: "fields.source",
            level: .robustness, of: ("delivery", "deliveries")),
        CapturedCheck(
            .delivery, "each message reaches its recipients, once and unchanged",
            basedOn: "behaviours.heard", level: .robustness, of: ("delivery", "deliveries")),
        CapturedCheck(
            .order, "messages arrive in the order in which they were sent",
            basedOn: "behaviours.heard", level: .robustness, of: ("delivery", "deliveries")),
    ]

    /// Returns the result of the check.
    ///
    /// - Parameter files: Names of the captures by index; empty if there is only one.
    func result(
        _ judgement: CaptureJudgement, _ subject: Subject, files: [String]
    ) -> CheckResult {
        let outcome = judgement[rule]
        var result = subject.capturedCheck(id, claim, setting: setting, level: level)
        if let reason = notApplicable(outcome, subject) {
            result.verdict = .skipped
            result.reason = reason
            return result
        }
        result.casesRun = outcome.judged
        let count = "\(outcome.judged) \(outcome.judged == 1 ? judged.one : judged.more)"
        guard let first = outcome.evidence.first else {
            result.reason = count
            return result
        }
        // An incomplete command table is not the server's fault.
        result.verdict = rule == .commands ? .observed : .failed
        result.reason = "\(outcome.violations) of \(count): \(first.words)"
        if rule == .commands { result.classes = [first.kind] }
        result.finding = Finding(
            first.kind, expected: claim, got: text(first, files) + others(outcome))
        result.transcript = outcome.evidence.map { entry($0, judgement) }
        return result
    }

    private func notApplicable(_ outcome: CapturedOutcome, _ subject: Subject) -> String? {
        let escaping = subject.dialect.escaping.fromServer
        let escapes = [
            escaping.field, escaping.trailing, escaping.tagValue, escaping.key, escaping.value,
        ]
        if rule == .escapes, escapes.allSatisfy({ $0.marker == nil }) {
            return "the dialect has no escapes"
        }
        guard outcome.judged == 0, outcome.violations == 0 else { return nil }
        switch rule {
        case .length, .framing, .commands: return "the capture has no complete line of the server"
        case .characters: return "the dialect forbids no characters"
        case .escapes, .arguments: return "the capture has no known command of the server"
        case .answers: return "the capture has no request whose outcome is known"
        case .source, .delivery, .order:
            return "the capture has no delivery whose outcome is known"
        }
    }

    /// Returns the evidence in words, with its packet, time, connection and line.
    private func text(_ evidence: CapturedEvidence, _ files: [String]) -> String {
        let file = files.indices.contains(evidence.packet.file) ? files[evidence.packet.file] : ""
        var origin = "packet " + (file.isEmpty ? "" : file + ":") + String(evidence.packet.number)
        if let time = evidence.packet.timeText { origin += ", \(time)" }
        origin += ", connection \(evidence.connection)"
        if !evidence.operatorName.isEmpty {
            origin += " (\(String(decoding: evidence.operatorName, as: UTF8.self)))"
        }
        return "\(evidence.words): “\(String(decoding: evidence.line, as: UTF8.self))” (\(origin))"
    }

    private func others(_ outcome: CapturedOutcome) -> String {
        outcome.violations > 1 ? "; \(outcome.violations - 1) more" : ""
    }

    private func entry(
        _ evidence: CapturedEvidence, _ judgement: CaptureJudgement
    ) -> TranscriptEntry {
        let name = String(decoding: evidence.operatorName, as: UTF8.self)
        let time = evidence.packet.knownTime.flatMap { time in
            judgement.startedAt.map { time &- $0 }
        }
        return TranscriptEntry(
            time: time ?? 0, operatorName: name.isEmpty ? "#\(evidence.connection)" : name,
            kind: evidence.direction == .fromClient ? .sent : .received, bytes: evidence.line)
    }
}
