import LineProtocol
import Results
import Scenario
import Session

/// The `msg.history` rule: every member receives all messages of its room exactly once and in the
/// same order, and none from another room.
enum MessageHistory: CheckFamily {
    static let ruleID = "msg.history"
    private static let speakers = ["alice", "bob", "carol"]
    private static let texts = 8

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let talk = subject.talk, talk.isOneLine, talk.isRoom else {
            return notApplicable(
                "the dialect has no single-line room messages")
        }
        let check = Check(
            CheckID(ruleID),
            "every member of a room receives each message exactly once and in the same order; no other client receives it",
            setting: "behaviours.heard", in: subject, level: .robustness
        ) { maker in [made(&maker)] }
        return [.check(check), .check(HistoryStays.check(subject))]
    }

    private static func made(_ maker: inout CaseMaker) -> CheckCase {
        let subject = maker.subject
        let outsiders = subject.hasBystander ? ["dave", "erin"] : []
        var script = maker.script(
            "\(speakers.count) clients send messages in one room, others in another",
            speakers + outsiders)
        if !outsiders.isEmpty { script.enter(room: maker.room(), outsiders) }
        let other = script.room
        var there = outsiders.isEmpty ? nil : script
        script.enter(room: maker.room(), speakers)
        script.step(.setup, .sync())
        // Make sure that everyone has read the notifications about the others joining.
        for handle in speakers + outsiders { script.barrier(handle, role: .control) }
        var history = History(room: script.room, speakers: speakers)
        history.otherRoom = other
        history.outsiders = outsiders
        let throttled = subject.throttle > 0
        var order: [(text: [UInt8], by: String)] = []
        for round in 0..<(throttled ? texts / 2 : texts) {
            for handle in speakers {
                let text = Array("\(handle)\(round)\(maker.word())".utf8)
                guard script.speak(bytes: text, by: handle, thenSync: true) else { continue }
                history.said[handle, default: []].append(text)
                order.append((text, handle))
            }
            if let outsider = outsiders.first {
                let text = Array("there\(round)\(maker.word())".utf8)
                if let wire = there?.wire(bytes: text, by: outsider) {
                    there?.note(said: text, by: outsider)
                    script.send(.stimulus, wire.bytes, by: outsider, topic: text)
                    script.require(script.settling(outsider))
                    history.there.append(text)
                }
            }
        }
        // First make sure that the server has received everything, then that the members have.
        for handle in speakers + outsiders { script.step(.question, .sync(handle)) }
        expect(order, history, outside: there, &script)
        for handle in speakers + outsiders { script.barrier(handle) }
        script.step(.question, .wait(subject.has("probe") ? 20_000_000 : 300_000_000))
        let final = history
        return script.made(.textsAndPeople) { final.judge(&$0) }
    }

    /// Adds the expected messages to the scenario file. In the file, the senders wait for each
    /// other, so that only one order is possible and nothing else arrives in between.
    private static func expect(
        _ order: [(text: [UInt8], by: String)], _ history: History, outside: CaseScript?,
        _ script: inout CaseScript
    ) {
        let echoes = script.subject.dialect.policies["echo"] == "sender"
        for recipient in speakers {
            for (text, speaker) in order where echoes || speaker != recipient {
                script.hearNext(text, from: speaker, as: recipient)
            }
            script.require([.quiet(recipient)], by: recipient)
        }
        guard let outsider = history.outsiders.first, let outside else { return }
        for recipient in history.outsiders {
            for text in history.there where echoes || recipient != outsider {
                script.hearNext(text, from: outsider, as: recipient, room: outside.room)
            }
            script.require([.quiet(recipient)], by: recipient)
        }
    }
}
