import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `mode` rule: room modes have an effect while they are set, and only room operators can set
/// them.
enum RoomModes: CheckFamily {
    static let ruleID = "mode"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let modes = RoomMode.all(subject)
        guard subject.has("needs-operator"), subject.talk?.isRoom == true, !modes.isEmpty else {
            return notApplicable("rooms have no modes")
        }
        return modes.map { .check(check($0, subject)) }
    }

    private static func check(_ mode: RoomMode, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, mode.name),
            "the \(mode.name) mode has an effect while it is set, and only operators can set it",
            setting: "behaviours.needs-operator", in: subject
        ) { maker in
            var script = maker.script(
                "set and cleared by an operator, then set by a member", ["alice", "carol", "bob"])
            script.enter(room: maker.room(), ["alice", "carol"])
            if let prepares = mode.prepares { script.change(prepares, .control) }
            // Before the first `sets`, bob does not have what the mode grants.
            if !mode.isGranted { script.change(mode.clears, .control) }
            script.use(mode.whileCleared, as: "bob", .control)
            script.change(mode.sets, .stimulus)
            script.use(mode.whileSet, as: "bob", .question)
            script.change(mode.clears, .stimulus)
            script.use(mode.whileCleared, as: "bob", .question)
            script.use(mode.sets, as: "carol", .stimulus)
            script.step(.question, .use("needs-operator", as: "carol"))
            script.use(mode.whileCleared, as: "bob", .question)
            script.barrier("alice")
            return [script.made { Liveness.patient($0.scripted()) }]
        }.needing([mode.sets, mode.prepares].compactMap(\.self), subject)
    }
}

/// The behaviours for a room mode, such as `sets-mode-m`.
private struct RoomMode {
    let name: String
    /// True if the mode allows a user something that is otherwise refused; false if it forbids
    /// something that is otherwise allowed.
    let isGranted: Bool
    /// The behaviour that must run first for the mode to have an effect; nil if none is needed.
    let prepares: String?

    private static let setsPrefix = "sets-mode-"

    var sets: String { Self.setsPrefix + name }
    var clears: String { "clears-mode-\(name)" }
    /// The behaviour that succeeds or is refused while the mode is set.
    var whileSet: String { (isGranted ? "grants-mode-" : "forbids-mode-") + name }
    /// The behaviour that succeeds or is refused while the mode is cleared.
    var whileCleared: String { (isGranted ? "denies-mode-" : "permits-mode-") + name }

    /// Returns the modes that the dialect describes, sorted by name.
    static func all(_ subject: Subject) -> [RoomMode] {
        subject.dialect.behaviours.keys.sorted().compactMap { behaviour in
            guard behaviour.hasPrefix(setsPrefix) else { return nil }
            return RoomMode(String(behaviour.dropFirst(setsPrefix.count)), subject)
        }
    }

    private init?(_ name: String, _ subject: Subject) {
        self.name = name
        isGranted = subject.has("grants-mode-\(name)")
        let prepares = "prepares-mode-\(name)"
        self.prepares = subject.has(prepares) ? prepares : nil
        guard [clears, whileSet, whileCleared].allSatisfy(subject.has) else { return nil }
    }
}

extension CaseScript {
    /// Adds a step that uses one of a mode's behaviours. The mode applies to bob or to his actions.
    fileprivate mutating func use(
        _ behaviour: String, as handle: String, _ role: CaseStep.Role
    ) {
        let given = arguments(
            [("room", .int(room ?? 0)), ("user", .text(actor("bob").name))], of: behaviour)
        step(role, .use(behaviour, as: handle, given))
    }

    /// Adds a step in which alice changes a mode, and waits until the change is complete.
    fileprivate mutating func change(_ behaviour: String, _ role: CaseStep.Role) {
        use(behaviour, as: "alice", role)
        step(role == .stimulus ? .question : role, .sync("alice"))
    }
}
