import LineProtocol
import Results
import Scenario

/// The `esc.idempotent` rule: a received message does not change when it is sent again.
enum EscapeIdempotent: CheckFamily {
    static let ruleID = "esc.idempotent"
    private static let rounds = 3

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let position = TextPosition(subject) else {
            return notApplicable(subject.noMessages)
        }
        let check = Check(
            CheckID(ruleID), "a message that is received and sent again does not change",
            setting: position.setting, in: subject
        ) { maker in
            guard let position = TextPosition(maker.subject) else { return [] }
            return [made(text(position, maker.bytes()), &maker)]
        }
        return [.check(check)]
    }

    /// Returns a message with bytes that look like escapes or that need escaping.
    private static func text(_ position: TextPosition, _ word: [UInt8]) -> [UInt8] {
        let special = position.special.filter(position.isPreserved)
        var text = word
        for byte in special { text += [byte, UInt8(ascii: "n")] }
        if case .table(let table) = position.rule {
            for letter in table.meaning.keys.sorted() { text += [table.escape, letter] }
        }
        return text + Array("%20%25".utf8) + word
    }

    private static func made(_ text: [UInt8], _ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript("a message goes back and forth \(rounds) times")
        script.say("back\(maker.word())", as: "bob", to: "alice", role: .control)
        script.hear(as: "alice", role: .control)
        script.step(.control, .sync())
        script.barrier("alice", role: .control)
        for round in 0..<rounds {
            let isBack = round % 2 == 1
            script.speak(
                bytes: text, by: isBack ? "bob" : "alice", to: isBack ? "alice" : "bob")
            script.hear(text, as: isBack ? "alice" : "bob")
        }
        script.barrier("alice")
        script.quiet(["bob", "alice"])
        let room = script.room
        return script.made { evidence in
            for (speaker, recipient, count) in [("alice", "bob", 2), ("bob", "alice", 1)] {
                let said = [[UInt8]](repeating: text, count: count)
                let received = PeerBytes.received(
                    by: recipient, from: speaker, room: room, in: &evidence)
                // A lost message ends the case, so the later ones were never sent.
                guard let first = received.texts.first(where: { $0 != text }) else { continue }
                let difference = PeerBytes.difference(sent: [text], received: [first])
                return .failed(
                    Finding(
                        difference?.kind ?? "mutated",
                        expected: "\(recipient) receives \(PeerBytes.shown(Array(said.prefix(1))))",
                        got: "received \(PeerBytes.shown([first]))"))
            }
            return evidence.scripted()
        }
    }
}
