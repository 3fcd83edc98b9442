import LineProtocol
import Session

/// msg.history: what several say in several rooms is heard by all who are there, once and in order.
enum MessageHistory: CheckFamily {
    static let row = "msg.history"
    private static let speakers = ["alice", "bob", "carol"]
    private static let texts = 8

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let talk = subject.talk, talk.isOneLine, talk.isRoom else {
            return notApplicable("the dialect states no text in a room that one line carries")
        }
        let check = Check(
            CheckID(row),
            "each text is heard once by all in its room, in one order, and by nobody else",
            rule: "behaviours.heard", in: subject, level: .robustness
        ) { maker in [made(&maker)] }
        return [.check(check)]
    }

    private static func made(_ maker: inout CaseMaker) -> CheckCase {
        let subject = maker.subject
        let outsiders = subject.hasWitness ? ["dave", "erin"] : []
        var script = maker.script(
            "\(speakers.count) speak in a room, others in another", speakers + outsiders)
        if !outsiders.isEmpty { script.enter(room: maker.room(), outsiders) }
        let other = script.room
        var there = outsiders.isEmpty ? nil : script
        script.enter(room: maker.room(), speakers)
        script.step(.setup, "sync")
        for handle in speakers { script.fence(handle, role: .control) }
        var history = History(room: script.room, speakers: speakers)
        history.otherRoom = other
        history.outsiders = outsiders
        let throttled = subject.throttle > 0
        for round in 0..<(throttled ? texts / 2 : texts) {
            for handle in speakers {
                let text = Array("\(handle)\(round)\(maker.word())".utf8)
                guard script.speak(bytes: text, by: handle) else { continue }
                history.said[handle, default: []].append(text)
            }
            if let outsider = outsiders.first {
                let text = Array("there\(round)\(maker.word())".utf8)
                if let wire = there?.wire(bytes: text, by: outsider) {
                    there?.note(said: text, by: outsider)
                    script.send(.stimulus, wire.bytes, by: outsider)
                    history.there.append(text)
                }
            }
        }
        // First what was said has been heard by the server, then by all.
        for handle in speakers + outsiders { script.step(.question, "sync \(handle)", by: handle) }
        for handle in speakers + outsiders { script.fence(handle) }
        script.step(.question, subject.has("probe") ? "wait 20ms" : "wait 300ms", by: nil)
        let final = history
        return script.made { final.judge(&$0) }
    }
}
