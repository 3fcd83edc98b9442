import LineProtocol
import Results
import Scenario
import Session

/// The `msg.history:stays` check: members that join late, leave or are disconnected receive exactly
/// the messages sent while they are present.
enum HistoryStays {
    /// Number of messages that each member sends in each phase. More than one, so that there is an
    /// order to preserve.
    private static let texts = 2

    static func check(_ subject: Subject) -> Check {
        let leaves = subject.has("leave")
        return Check(
            CheckID(MessageHistory.ruleID, "stays"),
            "a member that joins late\(leaves ? ", leaves" : "") or is disconnected receives each message sent while it was present, exactly once",
            setting: "behaviours.heard", in: subject, level: .robustness
        ) { maker in
            var phases = Phases(&maker)
            return [phases.made(&maker)]
        }
    }

    /// A builder for a case in phases. The members of the room change between phases.
    private struct Phases {
        private var script: CaseScript
        private var history: History
        private var present = ["alice", "bob", "dave"]
        private var moment = 0
        private let room: Int
        private let echoes: Bool

        init(_ maker: inout CaseMaker) {
            script = maker.script("one member joins late, one leaves, one is disconnected", present)
            room = maker.room()
            script.enter(room: room, present)
            history = History(room: script.room, speakers: present + ["carol"])
            echoes = maker.subject.dialect.policies["echo"] == "sender"
        }

        mutating func made(_ maker: inout CaseMaker) -> CheckCase {
            script.step(.setup, .sync())
            barrier(.control)
            talk(&maker, isQuiet: true)

            script.logIn(CaseActor(handle: "carol", name: maker.word()))
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
            let wait: Int64 = script.subject.has("probe") ? 20_000_000 : 300_000_000
            script.step(.question, .wait(wait))
            let final = history
            return script.made(.textsAndPeople) { final.judge(&$0) }
        }

        /// Adds a member and starts a new phase.
        private mutating func begin(_ handle: String) {
            moment += 1
            present.append(handle)
            history.stays[handle] = moment..<Int.max
            barrier(.question)
        }

        /// Removes a member and starts a new phase.
        private mutating func end(_ handle: String) {
            moment += 1
            present.removeAll { $0 == handle }
            history.stays[handle] = (history.stays[handle]?.lowerBound ?? 0)..<moment
            barrier(.question)
        }

        /// Adds steps in which a member sends a message and disconnects immediately afterwards, so
        /// that the message may or may not be delivered.
        private mutating func cut(_ handle: String, _ maker: inout CaseMaker) {
            let text = Array("last\(maker.word())".utf8)
            if script.speak(bytes: text, by: handle) {
                history.said[handle, default: []].append(text)
                history.indefinite.insert(text)
                history.moments[text] = moment
            }
            script.step(.question, .abort(handle))
            end(handle)
        }

        private mutating func leave(_ handle: String) {
            let given = script.arguments([("room", .int(room))], of: "leave")
            script.step(.setup, .use("leave", as: handle, given))
            end(handle)
        }

        /// Adds steps that wait until all members have read the notifications about the change.
        private mutating func barrier(_ role: CaseStep.Role) {
            for handle in present { script.barrier(handle, role: role) }
        }

        /// Adds steps in which every member sends messages, followed by steps that wait until all
        /// messages have been received.
        private mutating func talk(_ maker: inout CaseMaker, isQuiet: Bool) {
            var order: [(text: [UInt8], by: String)] = []
            for handle in present.flatMap({ Array(repeating: $0, count: HistoryStays.texts) }) {
                let text = Array("\(handle)\(moment)\(maker.word())".utf8)
                guard script.speak(bytes: text, by: handle, thenSync: true) else { continue }
                history.said[handle, default: []].append(text)
                history.moments[text] = moment
                order.append((text, handle))
            }
            for handle in present { script.step(.question, .sync(handle)) }
            for recipient in present {
                for (text, speaker) in order where echoes || speaker != recipient {
                    addExpected(text, from: speaker, by: recipient)
                }
                // In later phases, other members may be notified that a member left.
                if isQuiet {
                    script.require([.quiet(recipient)], by: recipient)
                }
            }
            barrier(.question)
        }

        /// Adds an expected message to the scenario file.
        private mutating func addExpected(
            _ text: [UInt8], from speaker: String, by recipient: String
        ) {
            let isEchoed = speaker == recipient && EchoedFragment(script.subject) != nil
            let hearing = script.hearing(
                text, from: script.actor(speaker).name, as: recipient,
                with: isEchoed ? EchoedFragment.names.any : nil)
            script.require(hearing, by: recipient, topic: text)
        }

        /// Adds the requirement that a member that has left receives no messages sent since then.
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
