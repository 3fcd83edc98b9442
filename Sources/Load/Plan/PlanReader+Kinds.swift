import Diagnostics
import DialectFiles

/// Reading `kinds` of a plan.
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
                    "dialect.conflict", "there are two kinds `\(word)`", at: name.value.range,
                    first: first.value.range)
            }
            names[word] = name
            return kind(word, section)
        }
    }

    private static func kind(_ name: String, _ section: Section) -> OperatorKind? {
        if section[Keys.scenario] != nil { return executor(name, section) }
        let persona = section[Keys.persona].map { _ in readPersona(section) }
        if case .some(nil) = persona { return nil }
        let role = (persona ?? nil)?.role ?? .ordinary
        var mix: ActionMix?
        if let does = section[Keys.does] {
            mix = self.mix(ofKind: does)
            if mix != nil, !role.canTalk {
                refuse(
                    does, "a kind that is \(role.word) does nothing",
                    help: "leave out `does`; what it does is all that its persona says")
            }
        } else if role == .ordinary {
            _ = section.required(Keys.does.name, "`does: say`, or `does: nothing`")
            return nil
        }
        if section[Keys.persona] == nil { refusePersonaKeys(section, of: .ordinary) }
        return OperatorKind(
            name: name, weight: section.value(Keys.weight),
            mix: mix, think: section.value(Keys.think), persona: persona ?? nil)
    }

    /// Reads a kind that runs a scenario.
    private static func executor(
        _ name: String, _ section: Section
    ) -> OperatorKind? {
        for key in [Keys.does, Keys.persona.key] {
            guard let setting = section[key] else { continue }
            refuse(
                setting, "`scenario` and `\(key.name)` are mutually exclusive",
                help: "keep one of them")
        }
        refusePersonaKeys(section, of: .ordinary)
        guard let path = section.value(Keys.scenario) else { return nil }
        var kind = OperatorKind(
            name: name, weight: section.value(Keys.weight),
            mix: nil, think: section.value(Keys.think))
        kind.scenario = path
        return kind
    }

    /// Reads a kind's actions; nil for none.
    private static func mix(ofKind does: Setting) -> ActionMix? {
        if case .scalar(Keys.nothing, _) = does.value.kind { return nil }
        return mix(does)
    }

    // MARK: Personas

    private static func readPersona(_ section: Section) -> Persona? {
        guard let role = section.value(Keys.persona) else { return nil }
        var persona = Persona(role)
        switch role {
        case .slowReader:
            persona.bytesPerSecond = section.value(Keys.reads) ?? persona.bytesPerSecond
            persona.receiveBuffer = section.value(Keys.receiveBuffer) ?? persona.receiveBuffer
        case .slowWriter:
            persona.bytesPerSecond = section.value(Keys.writes) ?? persona.bytesPerSecond
        case .reconnecting:
            persona.every = section.value(Keys.every) ?? persona.every
            persona.away = section.value(Keys.away) ?? persona.away
            persona.leave = section.value(Keys.by) ?? persona.leave
        case .ordinary, .silent, .mute, .halfClosed: break
        }
        refusePersonaKeys(section, of: role)
        return persona
    }

    /// Reports keys that belong to another persona.
    private static func refusePersonaKeys(_ section: Section, of role: Persona.Role) {
        for (key, owner) in Keys.owners where owner != role {
            guard let setting = section[key.key] else { continue }
            refuse(
                setting, "`\(key.key.name)` does not apply to the persona \(role.word)",
                help: "it belongs to `persona: \(owner.word)`")
        }
    }
}
