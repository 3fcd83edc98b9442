import LineProtocol
import Results
import Session

/// msg.history:stays: who comes late, leaves, or is cut hears what is said while it is there.
enum HistoryStays {
    /// So many each says one after another, so that there is an order to keep.
    private static let texts = 2

    static func check(_ subject: Subject) -> Check {
        let leaves = subject.has("leave")
        return Check(
            CheckID(MessageHistory.row, "stays"),
            "who comes late\(leaves ? ", leaves" : "") or is cut hears all that is said between, once",
            rule: "behaviours.heard", in: subject, level: .robustness
        ) { maker in
            var play = Play(&maker)
            return [play.made(&maker)]
        }
    }

    /// The case, moment by moment: between two of them somebody comes or goes.
    private struct Play {
        private var script: CaseScript
        private var history: History
        private var present = ["alice", "bob", "dave"]
        private var moment = 0
        private let room: Int
        private let echoes: Bool

        init(_ maker: inout CaseMaker) {
            script = maker.script("one comes late, one leaves, one is cut", present)
            room = maker.room()
            script.enter(room: room, present)
            history = History(room: script.room, speakers: present + ["carol"])
            echoes = maker.subject.dialect.policies["echo"] == "sender"
        }

        mutating func made(_ maker: inout CaseMaker) -> CheckCase {
            script.step(.setup, "sync")
            barrier(.control)
            talk(&maker, isQuiet: true)

            script.logIn(Actor(handle: "carol", name: maker.word()))
            script.enter(room: room, ["carol"])
            begin("carol")
            talk(&maker, isQuiet: true)

            cut("dave", &maker)
            talk(&maker, isQuiet: false)

            if script.subject.has("leave") {
                leave("bob")
                talk(&maker, isQuiet: false)
                hearsNothing("bob")
            }
            let wait = script.subject.has("probe") ? "wait 20ms" : "wait 300ms"
            script.step(.question, wait, by: nil)
            let final = history
            return script.made(.textsAndPeople) { final.judge(&$0) }
        }

        /// A new moment begins, from which on somebody is there.
        private mutating func begin(_ handle: String) {
            moment += 1
            present.append(handle)
            history.stays[handle] = moment..<Int.max
            barrier(.question)
        }

        /// A new moment begins, in which somebody is there no more.
        private mutating func end(_ handle: String) {
            moment += 1
            present.removeAll { $0 == handle }
            history.stays[handle] = (history.stays[handle]?.lowerBound ?? 0)..<moment
            barrier(.question)
        }

        /// Somebody says something, and is gone before anybody can know whether that was heard.
        private mutating func cut(_ handle: String, _ maker: inout CaseMaker) {
            let text = Array("last\(maker.word())".utf8)
            if script.speak(bytes: text, by: handle) {
                history.said[handle, default: []].append(text)
                history.indefinite.insert(text)
                history.moments[text] = moment
            }
            script.step(.question, "\(handle) abort", by: handle)
            end(handle)
        }

        private mutating func leave(_ handle: String) {
            let given = script.arguments([("room", String(room))], of: "leave")
            script.step(.setup, "use leave as \(handle)\(given)", by: handle)
            end(handle)
        }

        /// What came because somebody came or went has been read then.
        private mutating func barrier(_ role: CaseStep.Role) {
            for handle in present { script.barrier(handle, role: role) }
        }

        /// Everybody who is there says something, and all of it is heard before the next moment begins.
        private mutating func talk(_ maker: inout CaseMaker, isQuiet: Bool) {
            var order: [(text: [UInt8], by: String)] = []
            for handle in present.flatMap({ Array(repeating: $0, count: HistoryStays.texts) }) {
                let text = Array("\(handle)\(moment)\(maker.word())".utf8)
                guard script.speak(bytes: text, by: handle, thenSync: true) else { continue }
                history.said[handle, default: []].append(text)
                history.moments[text] = moment
                order.append((text, handle))
            }
            for handle in present { script.step(.question, "sync \(handle)", by: handle) }
            for hearer in present {
                for (text, speaker) in order where echoes || speaker != hearer {
                    heard(text, from: speaker, by: hearer)
                }
                // Later it may be told that somebody is gone.
                if isQuiet { script.step(.question, "", by: hearer, strict: "\(hearer) quiet") }
            }
            barrier(.question)
        }

        /// What has to be heard, for the scenario that is written down.
        private mutating func heard(_ text: [UInt8], from speaker: String, by hearer: String) {
            let hearing = script.hearing(
                String(decoding: text, as: UTF8.self), from: script.actor(speaker).name, as: hearer)
            script.step(.question, "", by: hearer, strict: hearing, topic: text)
        }

        /// Who has left hears nothing of what was said since.
        private mutating func hearsNothing(_ handle: String) {
            for (speaker, texts) in history.said.sorted(by: { $0.key < $1.key }) {
                for text in texts where history.moments[text] == moment {
                    script.unheard(bytes: text, by: speaker, as: handle)
                }
            }
            script.barrier(handle)
        }
    }
}
