import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
package import Session

/// Everything that was observed while a case ran, as input for the case's judge.
package struct Evidence {
    package let testCase: CheckCase
    package let result: ScenarioOutcome
    let subject: Subject
    private var classifier: LineClassifier
    /// The transcript, each entry with the index of the step it belongs to.
    let entries: [(entry: TranscriptEntry, step: Int)]
    /// Index of the step that determined the outcome; nil if none did.
    let decidingStep: Int?
    /// Classes of the server's reaction, regardless of what the dialect requires.
    private(set) var classes: [String] = []
    /// State of the server before, during and after the run; nil if it cannot be observed, or if
    /// other checks ran at the same time.
    var server: ServerMeasure?

    init(
        _ testCase: CheckCase, _ scenario: CaseScenario, _ result: ScenarioOutcome,
        _ classifier: LineClassifier, _ subject: Subject
    ) {
        self.testCase = testCase
        self.result = result
        self.classifier = classifier
        self.subject = subject
        var last = 0
        entries = result.transcript.map { entry in
            last = entry.step.flatMap(scenario.caseStep) ?? last
            return (entry, last)
        }
        decidingStep = result.step.flatMap(scenario.caseStep)
    }

    /// The transcript, each entry with the index of the case's step. It has no line numbers,
    /// because the check does not run a file.
    var transcript: [TranscriptEntry] {
        entries.map { entry, step in
            var entry = entry
            entry.step = step
            entry.line = nil
            return entry
        }
    }

    /// Role of the step that determined the outcome; nil if no single step did.
    var decidingRole: CaseStep.Role? { decidingStep.map { testCase.steps[$0].role } }

    /// Returns the actor with this handle or, if there is none, a new one whose name is the handle.
    func actor(_ handle: String) -> CaseActor {
        testCase.actors.first { $0.handle == handle } ?? CaseActor(handle: handle, name: handle)
    }

    private func loginName(_ handle: String) -> [UInt8] { Array(actor(handle).name.utf8) }

    /// Indices of the steps that are stimuli.
    var stimuli: [Int] { testCase.steps.indices.filter { testCase.steps[$0].role == .stimulus } }

    /// The stimuli as sent, including closes, in transcript format.
    var sent: [String] {
        entries.compactMap { entry, step in
            guard testCase.steps[step].role == .stimulus, entry.role != .probe else { return nil }
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

    /// Maximum bytes shown per sent line.
    private static let sentBytesMax = 160

    /// Returns whether a line is one of the dialect's refusals.
    mutating func isRefusal(_ entry: TranscriptEntry) -> Bool {
        classifier.isRefusal(ReceivedLine(entry), for: loginName(entry.operatorName))
    }

    /// Returns whether a line is unsolicited.
    mutating func isUnsolicited(_ entry: TranscriptEntry) -> Bool {
        classifier.isUnsolicited(ReceivedLine(entry), for: loginName(entry.operatorName))
    }

    /// Returns whether a line looks like an answer to a probe without a token.
    mutating func isProbeAnswer(_ entry: TranscriptEntry) -> Bool {
        classifier.isProbeAnswer(ReceivedLine(entry), for: loginName(entry.operatorName))
    }

    /// Returns the text of the message from `sender` that a line delivers; nil if it delivers none.
    mutating func text(_ entry: TranscriptEntry, from sender: String, room: Int?) -> [UInt8]? {
        guard let talk = subject.talk else { return nil }
        let given = [
            "from": loginName(sender), "room": Array(String(room ?? 0).utf8),
            "to": loginName(entry.operatorName),
        ]
        return classifier.text(
            ReceivedLine(entry), expectedBy: talk.hears, given: given,
            for: loginName(entry.operatorName))
    }

    /// The evidence, with fields that exceed a command's arguments read as part of messages, even if
    /// the dialect ignores such fields in received lines.
    var joiningExtraFields: Evidence {
        var copy = self
        copy.classifier = classifier.joiningExtraFields
        return copy
    }

    /// Records an outcome class, such as `refuse` or `ignore`.
    mutating func note(class word: String) {
        if !classes.contains(word) { classes.append(word) }
    }

    /// Replaces all recorded classes with a more precise one.
    mutating func note(onlyClass word: String) { classes = [word] }
}

extension ReceivedLine {
    /// Creates a received line from a transcript entry.
    init(_ entry: TranscriptEntry) {
        self.init(
            entry.bytes, terminator: entry.terminator, payload: entry.payload, at: entry.time)
    }
}
