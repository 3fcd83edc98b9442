import LineProtocol
import Session

/// inj.source: somebody else's source before one's own line.
enum InjectSource: CheckFamily {
    static let row = "inj.source"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let marker = subject.dialect.syntax.sourceMarker, TextPlace(subject) != nil else {
            return notApplicable("lines have no source")
        }
        let forged = Check(
            CheckID(row, "forged"), "a source that is somebody else's is never shown to others",
            rule: "fields.source", in: subject, level: .robustness
        ) { maker in
            [made("carol's name as the source", marker, mustIgnore: false, &maker)]
        }
        let ignored = Check(
            CheckID(row, "ignored"), "a line with somebody else's source is ignored silently",
            rule: "fields.source", in: subject
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
        script.fence("alice", role: .control)
        let text = "forged\(maker.word())"
        let carol = Array(script.actor("carol").name.utf8)
        let separator = maker.subject.dialect.syntax.separators.first ?? ASCII.blank
        script.speak(text, by: "alice") { wire in [[marker] + carol + [separator] + wire.bytes] }
        script.fence("alice")
        script.quiet(["bob"])
        let room = script.room
        return script.made { evidence in
            let asCarol = PeerBytes.heard(by: "bob", from: "carol", room: room, in: &evidence).texts
            if asCarol.contains(Array(text.utf8)) {
                return .failed(
                    Finding(
                        "forged", expected: "bob hears nothing in carol's name",
                        got: "he heard \"\(text)\" from carol"))
            }
            guard mustIgnore else { return .passed }
            let asAlice = PeerBytes.heard(by: "bob", from: "alice", room: room, in: &evidence).texts
            if asAlice.contains(Array(text.utf8)) {
                return .failed(
                    Finding(
                        "served", expected: "the line is ignored",
                        got: "it ran: bob heard \"\(text)\" from alice"))
            }
            return Reaction.silence.judge(&evidence)
        }
    }
}
