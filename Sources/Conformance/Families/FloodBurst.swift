import LineProtocol
import Results
import Scenario
import Session

/// The `flood` rule: the server executes all lines of a large write, or reports an error to the
/// sender.
enum FloodBurst: CheckFamily {
    static let ruleID = "flood"
    private static let count = 300
    private static let throttledCount = 60

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true, subject.has("probe") else {
            return notApplicable(subject.noMessagesOrProbe)
        }
        let check = Check(
            CheckID(ruleID), "no message in a burst is lost silently",
            setting: "timing.throttle-max",
            in: subject, level: .robustness
        ) { maker in
            let isThrottled = maker.subject.throttle > 0
            return [made(isThrottled ? throttledCount : count, &maker)]
        }
        return [.check(check)]
    }

    /// Returns the maximum number of messages that fit into one scenario step.
    private static func countMax(_ subject: Subject) -> Int {
        var script = CaseScript("", subject)
        script.enter(room: SeededRandom.sampleRoom, [])
        let text = Array("twelveletters1000".utf8)
        let line = script.wire(bytes: text, by: "alice")?.bytes ?? []
        return (ScenarioLimits.lineBytesMax - 100) / max(1, SpelledBytes.string(line).utf8.count)
    }

    private static func made(_ most: Int, _ maker: inout CaseMaker) -> CheckCase {
        let count = min(most, countMax(maker.subject))
        var script = maker.talkingScript("\(count) messages in one write")
        script.barrier("alice", role: .control)
        let word = maker.word()
        // All messages have the same length, so all lines do as well.
        let texts = (0..<count).map { Array("\(word)\(1_000 + $0)".utf8) }
        let line = script.wire(bytes: texts[0], by: "alice")?.bytes ?? []
        let bytes = texts.flatMap { line.replacing(texts[0], with: $0) }
        script.note(said: texts[count - 1], by: "alice")
        script.send(.stimulus, bytes, by: "alice")
        // The scenario file expects each message.
        for text in texts.dropLast() { script.hear(text, as: "bob", onlyWhenWritten: true) }
        script.hear(as: "bob")
        script.barrier("alice")
        let room = script.room
        return script.made { evidence in
            let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence)
                .texts
            let difference = PeerBytes.difference(sent: texts, received: received)
            // Another check covers the order.
            if difference == nil || difference == .reordered { return evidence.scripted() }
            let answer = ObservedAnswer(&evidence, stimulus: evidence.stimuli.first ?? 0)
            // A limit is acceptable if it is reported to the sender.
            let isReported =
                answer.kind == .refused || (answer.kind == .closed && answer.line != nil)
            if isReported, texts.starts(with: received) || Set(texts).isSuperset(of: received) {
                return .passed
            }
            let lost = texts.first { !received.contains($0) }
            return .failed(
                Finding(
                    answer.kind == .closed ? "closed" : "lost",
                    expected: "bob receives \(count) messages, or alice receives an error",
                    got: "bob received \(received.count)"
                        + (lost.map { "; the first missing one is \(PeerBytes.shown([$0]))" }
                            ?? "")))
        }
    }
}
