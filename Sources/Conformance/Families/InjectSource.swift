import LineProtocol
import Results
import Scenario
import Session

/// The `inj.source` rule, in which a client sends a line that starts with another user's source
/// prefix.
enum InjectSource: CheckFamily {
    static let ruleID = "inj.source"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let marker = subject.dialect.syntax.fromClient.sourceMarker,
            TextPosition(subject) != nil
        else {
            return notApplicable("the dialect's lines have no source")
        }
        let forged = Check(
            CheckID(ruleID, "forged"), "a forged source is never shown to others",
            setting: "fields.source", in: subject, level: .robustness
        ) { maker in
            [made("carol's name as the source", marker, mustIgnore: false, &maker)]
        }
        let ignored = Check(
            CheckID(ruleID, "ignored"), "a line with a forged source is ignored silently",
            setting: "fields.source", in: subject
        ) { maker in
            [made("carol's name as the source", marker, mustIgnore: true, &maker)]
        }
        let isIgnored = subject.clause(for: "fields.source") != nil
        return (isIgnored ? [forged, ignored] : [forged]).map { .check($0) }
    }

    private static func made(
        _ title: String, _ marker: UInt8, mustIgnore: Bool, _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.talkingScript(title, ["alice", "bob", "carol"])
        script.barrier("alice", role: .control)
        let text = "forged\(maker.word())"
        let carol = Array(script.actor("carol").name.utf8)
        let separator = maker.subject.dialect.syntax.fromClient.separators.first ?? ASCII.space
        script.speak(text, by: "alice") { wire in [[marker] + carol + [separator] + wire.bytes] }
        if mustIgnore { script.require([.quiet("alice")]) }
        script.barrier("alice")
        if mustIgnore {
            script.quiet(["bob"])
        } else {
            script.unheard(text, by: "carol", as: "bob")
        }
        let room = script.room
        return script.made { evidence in
            let bytes = Array(text.utf8)
            if let forged = PeerBytes.ran(
                bytes, by: "carol", room: room, as: "forged",
                expected: "bob receives nothing in carol's name", in: &evidence)
            {
                return .failed(forged)
            }
            guard mustIgnore else { return .passed }
            if let served = PeerBytes.ran(
                bytes, by: "alice", room: room, as: "served", expected: "the line is ignored",
                in: &evidence)
            {
                return .failed(served)
            }
            return Reaction.silence.judge(&evidence)
        }
    }
}
