import DialectModel
import LineProtocol
import Results
import Session

/// `mode`: room modes have an effect while they are set, and only room operators can set them. For
/// each mode, the dialect has four behaviours, such as `sets-mode-m`.
enum RoomModes: CheckFamily {
    static let ruleID = "mode"
    private static let prefixes = (
        sets: "sets-mode-", clears: "clears-mode-", permits: "permits-mode-",
        forbids: "forbids-mode-"
    )

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let modes = subject.dialect.behaviours.keys.sorted().compactMap { name -> String? in
            guard name.hasPrefix(prefixes.sets) else { return nil }
            let mode = String(name.dropFirst(prefixes.sets.count))
            let all = [prefixes.clears, prefixes.permits, prefixes.forbids]
            return all.allSatisfy { subject.has($0 + mode) } ? mode : nil
        }
        guard subject.has("needs-operator"), subject.talk?.isRoom == true, !modes.isEmpty else {
            return notApplicable("rooms have no modes")
        }
        return modes.map { .check(check($0, subject)) }
    }

    private static func check(_ mode: String, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, mode),
            "the \(mode) mode has an effect while it is set, and only operators can set it",
            setting: "behaviours.needs-operator", in: subject
        ) { maker in
            var script = maker.script(
                "set and cleared by an operator, then set by a member", ["alice", "carol", "bob"])
            let room = maker.room()
            script.enter(room: room, ["alice", "carol"])
            func use(_ behaviour: String, _ handle: String, _ role: CaseStep.Role) {
                script.step(
                    role, "use \(behaviour) as \(handle) (room: \(room))", by: handle)
            }
            func change(_ prefix: String, _ role: CaseStep.Role) {
                use(prefix + mode, "alice", role)
                script.step(role == .stimulus ? .question : role, "sync alice", by: "alice")
            }
            change(prefixes.clears, .control)
            use(prefixes.permits + mode, "bob", .control)
            change(prefixes.sets, .stimulus)
            use(prefixes.forbids + mode, "bob", .question)
            change(prefixes.clears, .stimulus)
            use(prefixes.permits + mode, "bob", .question)
            use(prefixes.sets + mode, "carol", .stimulus)
            script.step(.question, "use needs-operator as carol", by: "carol")
            use(prefixes.permits + mode, "bob", .question)
            script.barrier("alice")
            return [script.made { Liveness.patient($0.scripted()) }]
        }.needing([prefixes.sets + mode], subject)
    }
}
