import DialectModel
import Diagnostics
import LineProtocol
import Results
package import Session

/// What came of playing a case, in the hands of those who judge it.
package struct Evidence {
    /// The case.
    package let play: CheckCase
    /// What the session says.
    package let result: ScenarioOutcome
    let subject: Subject
    private let text: CaseText
    private var classifier: LineClassifier
    /// The transcript with the step that each line belongs to.
    let entries: [(entry: TranscriptEntry, step: Int)]
    /// The step that decided the result, if one did.
    let decidingStep: Int?
    /// What the server did, in words of a class, as far as the oracles could tell; whatever the dialect says
    /// that it has to do.
    private(set) var classes: [String] = []
    /// S: what was seen of the server meanwhile, if it could be looked at and nothing else was played.
    var server: ServerMeasure?

    init(
        _ play: CheckCase, _ text: CaseText, _ result: ScenarioOutcome,
        _ classifier: LineClassifier,
        _ subject: Subject
    ) {
        self.play = play
        self.result = result
        self.text = text
        self.classifier = classifier
        self.subject = subject
        var last = 0
        entries = result.transcript.map { entry in
            last = entry.line.flatMap(text.step) ?? last
            return (entry, last)
        }
        decidingStep = result.line.flatMap(text.step)
    }

    /// The role of the step that decided the result.
    var decidingRole: CaseStep.Role? { decidingStep.map { play.steps[$0].role } }

    /// Who is called so.
    func actor(_ handle: String) -> Actor {
        play.actors.first { $0.handle == handle } ?? Actor(handle: handle, name: handle)
    }

    /// The places of the steps that are what the check is about.
    var stimuli: [Int] { play.steps.indices.filter { play.steps[$0].role == .stimulus } }

    /// What was sent as stimulus, and which ends were made, as a transcript shows it.
    var sent: [String] {
        entries.compactMap { entry, step in
            guard play.steps[step].role == .stimulus, entry.role != .probe else { return nil }
            switch entry.kind {
            case .sent:
                let bytes = entry.bytes + (entry.payload.map { entry.terminator + $0 } ?? [])
                let kept = escapedForDisplay(bytes.prefix(Self.sentBytesMax))
                let rest = bytes.count - Self.sentBytesMax
                return "\(entry.operatorName) → \(kept)"
                    + (rest > 0 ? "… (\(bytes.count) bytes)" : "")
            case .closed: return "\(entry.operatorName) closes"
            default: return nil
            }
        }
    }

    /// So much of a line that was sent is told.
    private static let sentBytesMax = 160

    /// Whether it is a line by which the dialect refuses.
    mutating func isRefusal(_ entry: TranscriptEntry) -> Bool {
        classifier.isRefusal(ReceivedLine(entry), for: Array(actor(entry.operatorName).name.utf8))
    }

    /// Whether it is a line that comes unasked.
    mutating func isUnasked(_ entry: TranscriptEntry) -> Bool {
        classifier.isUnsolicited(
            ReceivedLine(entry), for: Array(actor(entry.operatorName).name.utf8))
    }

    /// The text that a line brings from `sender`, if it is such a line.
    mutating func text(_ entry: TranscriptEntry, from sender: String, room: Int?) -> [UInt8]? {
        guard let talk = subject.talk else { return nil }
        let given = [
            "from": Array(actor(sender).name.utf8), "room": Array(String(room ?? 0).utf8),
            "to": Array(actor(entry.operatorName).name.utf8),
        ]
        return classifier.text(
            ReceivedLine(entry), heardAs: talk.hears, given: given,
            for: Array(actor(entry.operatorName).name.utf8))
    }

    /// Notes what the server did: `refuse`, `ignore`.
    mutating func note(class word: String) {
        if !classes.contains(word) { classes.append(word) }
    }

    /// Notes what it did in better words than those before.
    mutating func note(onlyClass word: String) { classes = [word] }

    /// What the case's own expectations say.
    package func scripted() -> Judgement {
        guard result.outcome == .failed else { return Liveness.timely(self) }
        return .failed(ScriptedFinding.finding(self))
    }
}

extension ReceivedLine {
    /// The line of a transcript's entry.
    init(_ entry: TranscriptEntry) {
        self.init(
            entry.bytes, terminator: entry.terminator, payload: entry.payload, at: entry.time)
    }
}
