import LineProtocol
import Results
import Scenario

/// The `pipe.order` rule: all commands that are sent in one write are executed, in order.
enum PipelineOrder: CheckFamily {
    static let ruleID = "pipe.order"
    private static let count = 100
    /// Number of messages to send if the server throttles clients.
    private static let throttledCount = 10

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true else {
            return notApplicable(subject.noMessages)
        }
        let check = Check(
            CheckID(ruleID), "messages sent in one write all arrive, in order", setting: "framing",
            in: subject, level: .robustness
        ) { maker in
            let count = maker.subject.throttle > 0 ? throttledCount : count
            var script = maker.talkingScript("\(count) messages in one write")
            script.barrier("alice", role: .control)
            let word = maker.word()
            let texts = (1...count).map { "\(word) \($0)" }
            let bytes = texts.dropLast().flatMap { script.wire($0, by: "alice")?.bytes ?? [] }
            script.speak(texts[count - 1], by: "alice") { [bytes + $0.bytes] }
            for text in texts { script.hear(Array(text.utf8), as: "bob") }
            script.barrier("alice")
            script.quiet(["bob"])
            return [script.judgedByPeer(texts: texts.map { Array($0.utf8) }, inOrder: true)]
        }
        return [.check(check)]
    }
}
