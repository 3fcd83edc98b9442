import LineProtocol
import Results
import Scenario

/// The `frame.empty` rule, in which empty lines are sent between commands.
enum FrameEmpty: CheckFamily {
    static let ruleID = "frame.empty"
    static let rule = "framing.empty-lines"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.framing.unit == .line else {
            return notApplicable(
                "frames are delimited by a length or an end marker, not by line terminators")
        }
        let isOpen =
            subject.dialect.openPolicies.contains(rule)
            || subject.dialect.framing.emptyLines == .message
        let check = Check(
            CheckID(ruleID),
            isOpen
                ? "an empty line does not close the connection silently"
                : "empty lines between commands are ignored",
            setting: rule, says: isOpen ? "?" : "ignore", in: subject
        ) { maker in
            [1, 10, 100].map { count in
                let title = count == 1 ? "one empty line" : "\(count) empty lines"
                let lines = repeatElement(maker.subject.terminator, count: count)
                let empty = Array(lines.joined())
                return isOpen || maker.subject.talk?.isOneLine != true
                    ? alone(title, empty, isOpen: isOpen, &maker) : before(title, empty, &maker)
            }
        }
        return [.check(check)]
    }

    /// Creates a case that sends empty lines followed by a message, all in one write.
    private static func before(
        _ title: String, _ empty: [UInt8], _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.talkingScript(title)
        script.barrier("alice", role: .control)
        script.speak("behind\(maker.word())", by: "alice") { [empty + $0.bytes] }
        script.hear(as: "bob")
        script.barrier("alice")
        script.quiet(["bob"])
        return script.judgedByPeer()
    }

    private static func alone(
        _ title: String, _ empty: [UInt8], isOpen: Bool, _ maker: inout CaseMaker
    ) -> CheckCase {
        let reaction: Reaction = isOpen ? .open : .silence
        let talks = maker.subject.talk?.isOneLine == true
        var script = talks ? maker.talkingScript(title) : maker.script(title)
        script.barrier("alice", role: .control)
        script.send(
            .stimulus, empty, by: "alice",
            requires: reaction.expected(by: "alice", in: script))
        script.barrier("alice")
        // Without a probe, only a later message shows whether the server is still reading.
        if talks, !maker.subject.has("probe") {
            script.say("behind\(maker.word())", as: "alice", role: .question)
            script.hear(as: "bob")
        }
        return script.made(.any) { reaction.judge(&$0) }
    }
}
