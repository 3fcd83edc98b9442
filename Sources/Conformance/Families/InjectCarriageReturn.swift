import LineProtocol
import Results
import Scenario
import Session

/// The `inj.cr` rule, in which a message contains a bare carriage return and a command after it.
enum InjectCarriageReturn: CheckFamily {
    static let ruleID = "inj.cr"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let position = TextPosition(subject) else {
            return notApplicable(subject.noMessages)
        }
        let side = subject.dialect.framing.fromClient
        if position.rule != nil, side.accepted.contains(where: { $0.bytes == [ASCII.cr] }) {
            return notApplicable("a bare CR ends a line")
        }
        // Some servers accept CR in place of CR LF; only a profile can specify that.
        let isOpen =
            position.rule != nil && side.terminator.bytes.contains(ASCII.cr)
            && subject.dialect.profile == nil
        let check = Check(
            CheckID(ruleID),
            isOpen
                ? "a bare CR in a message is harmless"
                : "text after a bare CR is not executed as a command",
            setting: "framing.accept", says: isOpen ? "?" : nil, in: subject, level: .policy
        ) { maker in
            var script = maker.talkingScript("a command after a CR")
            script.barrier("alice", role: .control)
            let word = maker.word()
            let forged = Array("forged\(word)".utf8)
            let command = script.wire(bytes: forged, by: "alice")?.line ?? []
            // In JSON, the rest of the line must not become part of the command.
            let end = maker.subject.dialect.syntax.fromClient.json == nil ? [] : [ASCII.cr]
            let raw = Array(word.utf8) + [ASCII.cr] + command + end
            script.speak(raw: raw, text: raw, by: "alice")
            script.barrier("alice")
            script.unheard(bytes: forged, by: "alice", as: "bob")
            let room = script.room
            return [script.made { judge(raw, forged, isOpen: isOpen, room, &$0) }]
        }
        return [.check(check)]
    }

    private static func judge(
        _ raw: [UInt8], _ forged: [UInt8], isOpen: Bool, _ room: Int?, _ evidence: inout Evidence
    ) -> Judgement {
        // The text after the CR may contain separators.
        var whole = evidence.joiningExtraFields
        let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &whole).texts
        let verbless = !evidence.subject.hasVerbs
        if received.contains(forged) || (verbless && received.count > 1) {
            evidence.note(class: "ends the line")
            if isOpen { return .observed("ends the line") }
            return .failed(
                Finding(
                    "extra-command", expected: "text after the CR is part of the message",
                    got: "the text was executed: bob received \(PeerBytes.shown(received))"))
        }
        let reaction = Reaction.open.judge(&evidence)
        guard case .observed(let word) = reaction else { return reaction }
        guard let text = received.first else { return .observed(word == "ignore" ? "drop" : word) }
        let stripped = raw.filter { $0 != ASCII.cr }
        let names = [(raw, "pass"), (stripped, "strip")]
        return .observed(
            names.first { $0.0 == text }?.1 ?? (raw.starts(with: text) ? "cut" : "other"))
    }
}
