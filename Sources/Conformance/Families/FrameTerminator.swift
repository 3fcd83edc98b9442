import LineProtocol
import Results
import Scenario

/// The `frame.term` rule: every terminator that the dialect accepts ends a line just like the usual
/// one.
enum FrameTerminator: CheckFamily {
    static let ruleID = "frame.term"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.framing.unit == .line else {
            return notApplicable(
                "frames are delimited by a length or an end marker, not by line terminators")
        }
        let side = subject.dialect.framing.fromClient
        let others = side.accepted.filter { $0 != side.terminator }
        guard !others.isEmpty else {
            return notApplicable("only \(side.terminator.name) ends a line")
        }
        guard subject.talk?.isOneLine == true || subject.has("probe") else {
            return notApplicable("no behaviour in the dialect has an outcome to compare")
        }
        return others.map { terminator in
            .check(
                Check(
                    CheckID(ruleID, terminator.name), "\(terminator.name) ends a line",
                    setting: "framing.accept", says: terminator.name, in: subject
                ) { maker in
                    maker.subject.talk?.isOneLine == true
                        ? [text(terminator, &maker)] : [probe(terminator, &maker)]
                })
        }
    }

    /// Creates a case that sends two messages in one write: one with this terminator and one with
    /// the usual terminator.
    private static func text(_ terminator: Terminator, _ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript("a line that ends with \(terminator.name)")
        script.barrier("alice", role: .control)
        let texts = ["other\(maker.word())", "usual\(maker.word())"]
        let usual = script.wire(texts[1], by: "alice")?.bytes ?? []
        script.speak(texts[0], by: "alice") { [$0.line + terminator.bytes + $0.tail + usual] }
        for text in texts { script.hear(Array(text.utf8), as: "bob") }
        script.barrier("alice")
        script.quiet(["bob"])
        return script.judgedByPeer(texts: texts.map { Array($0.utf8) })
    }

    private static func probe(_ terminator: Terminator, _ maker: inout CaseMaker) -> CheckCase {
        var script = maker.script("a probe that ends with \(terminator.name)")
        script.barrier("alice", role: .control)
        if let word = script.ask("alice", terminator: terminator.bytes) {
            script.answered("alice", word)
        }
        script.barrier("alice")
        return script.made()
    }
}
