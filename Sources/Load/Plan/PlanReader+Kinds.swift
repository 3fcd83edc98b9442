import Diagnostics
import DialectFiles

/// Parses `kinds` in a plan.
extension PlanReader {
    private typealias Keys = KindKeys

    static func kinds(_ setting: Setting) -> [OperatorKind] {
        var names: [String: Setting] = [:]
        guard let entries = setting.list(max: LoadPlan.kindsMax) else { return [] }
        return entries.compactMap { entry -> OperatorKind? in
            guard let section = entry.section(Keys.table),
                let name = section.required(Keys.name.key), let word = section.value(Keys.name)
            else { return nil }
            if let first = names[word] {
                setting.problems.error(
                    "dialect.conflict", "two kinds are named `\(word)`", at: name.value.range,
                    first: first.value.range)
            }
            names[word] = name
            return kind(word, section)
        }
    }

    private static func kind(_ name: String, _ section: Section) -> OperatorKind? {
        if section[Keys.scenario] != nil { return executor(name, section) }
        let key = behaviourKey(section)
        let behaviour = section[key].map { _ in readBehaviour(section, key) }
        if case .some(nil) = behaviour { return nil }
        let role = (behaviour ?? nil)?.role ?? .ordinary
        var mix: ActionMix?
        if let does = section[Keys.does] {
            mix = self.mix(ofKind: does)
            if mix != nil, !role.canTalk {
                refuse(
                    does, "operators with the \(role.word) behaviour perform no actions",
                    help: "remove `does`; the behaviour determines what the operators do")
            }
        } else if role == .ordinary {
            _ = section.required(Keys.does.name, "`does: say`, or `does: nothing`")
            return nil
        }
        if section[key] == nil { refuseBehaviourKeys(section, of: .ordinary) }
        return OperatorKind(
            name: name, weight: section.value(Keys.weight),
            mix: mix, think: section.value(Keys.think), behaviour: behaviour ?? nil)
    }

    /// Parses a kind that runs a scenario.
    private static func executor(
        _ name: String, _ section: Section
    ) -> OperatorKind? {
        for key in [Keys.does, behaviourKey(section).key] {
            guard let setting = section[key] else { continue }
            refuse(
                setting, "`scenario` and `\(key.name)` are mutually exclusive",
                help: "keep one of them")
        }
        refuseBehaviourKeys(section, of: .ordinary)
        guard let path = section.value(Keys.scenario) else { return nil }
        var kind = OperatorKind(
            name: name, weight: section.value(Keys.weight),
            mix: nil, think: section.value(Keys.think))
        kind.scenario = path
        return kind
    }

    /// Parses a kind's actions; nil if it has none.
    private static func mix(ofKind does: Setting) -> ActionMix? {
        if case .scalar(Keys.nothing, _) = does.value.kind { return nil }
        return mix(does)
    }

    // MARK: Behaviours

    /// Returns the key for the behaviour, under its current or former name.
    private static func behaviourKey(_ section: Section) -> ValueKey<OperatorBehaviour.Role?> {
        section[Keys.earlierBehaviour] == nil ? Keys.behaviour : Keys.earlierBehaviour
    }

    private static func readBehaviour(
        _ section: Section, _ key: ValueKey<OperatorBehaviour.Role?>
    ) -> OperatorBehaviour? {
        guard let role = section.value(key) else { return nil }
        var behaviour = OperatorBehaviour(role)
        switch role {
        case .slowReader:
            behaviour.bytesPerSecond = section.value(Keys.reads) ?? behaviour.bytesPerSecond
            behaviour.receiveBuffer = section.value(Keys.receiveBuffer) ?? behaviour.receiveBuffer
        case .slowWriter:
            behaviour.bytesPerSecond = section.value(Keys.writes) ?? behaviour.bytesPerSecond
        case .reconnecting:
            behaviour.every = section.value(Keys.every) ?? behaviour.every
            behaviour.away = section.value(Keys.away) ?? behaviour.away
            behaviour.leave = section.value(Keys.by) ?? behaviour.leave
        case .ordinary, .silent, .mute, .halfClosed: break
        }
        refuseBehaviourKeys(section, of: role)
        return behaviour
    }

    /// Reports keys that apply only to a behaviour other than `role`.
    private static func refuseBehaviourKeys(_ section: Section, of role: OperatorBehaviour.Role) {
        for (key, owner) in Keys.owners where owner != role {
            guard let setting = section[key.key] else { continue }
            refuse(
                setting, "`\(key.key.name)` does not apply to the \(role.word) behaviour",
                help: "it applies only to `behaviour: \(owner.word)`")
        }
    }
}
