import Diagnostics
import DialectFiles

/// Reading `kinds` of a plan.
extension PlanReader {
    private static let personaKeys = ["reads", "receive-buffer", "writes", "every", "away", "by"]

    static func kinds(_ setting: Setting) -> [OperatorKind] {
        var names: [String: Setting] = [:]
        guard let entries = setting.list(max: LoadPlan.kindsMax) else { return [] }
        return entries.compactMap { entry -> OperatorKind? in
            let keys = ["name", "weight", "does", "think", "persona", "scenario"] + personaKeys
            guard let section = entry.section(keys),
                let name = section.required("name", "give the kind a name"),
                let word = name.identifier("a name of a kind")
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
        if let scenario = section["scenario"] { return executor(name, scenario, section) }
        let persona = section["persona"].map { readPersona($0, section) }
        if case .some(nil) = persona { return nil }
        let role = (persona ?? nil)?.role ?? .ordinary
        var mix: ActionMix?
        if let does = section["does"] {
            mix = self.mix(ofKind: does)
            if mix != nil, !role.canTalk {
                refuse(
                    does, "a kind that is \(role.word) does nothing",
                    help: "leave out `does`; what it does is all that its persona says")
            }
        } else if role == .ordinary {
            _ = section.required("does", "`does: say`, or `does: nothing`")
            return nil
        }
        if section["persona"] == nil { refusePersonaKeys(section, of: .ordinary, taken: []) }
        return OperatorKind(
            name: name, weight: section["weight"]?.number(in: 1...OperatorKind.weightMax) ?? 1,
            mix: mix, think: section["think"].flatMap(think), persona: persona ?? nil)
    }

    /// Reads a kind that runs a scenario.
    private static func executor(
        _ name: String, _ scenario: Setting, _ section: Section
    ) -> OperatorKind? {
        for key in ["does", "persona"] {
            guard let setting = section[key] else { continue }
            refuse(
                setting, "`scenario` and `\(key)` are mutually exclusive",
                help: "keep one of them")
        }
        refusePersonaKeys(section, of: .ordinary, taken: [])
        guard let path = scenario.text(bytesMax: 1_000) else { return nil }
        var kind = OperatorKind(
            name: name, weight: section["weight"]?.number(in: 1...OperatorKind.weightMax) ?? 1,
            mix: nil, think: section["think"].flatMap(think))
        kind.scenario = path
        return kind
    }

    /// Reads a kind's actions; nil for none.
    private static func mix(ofKind does: Setting) -> ActionMix? {
        if case .scalar("nothing", _) = does.value.kind { return nil }
        return mix(does)
    }

    // MARK: Personas

    private static func readPersona(_ setting: Setting, _ section: Section) -> Persona? {
        let words = Persona.Role.allCases.map { ($0.word, $0) }
        guard let text = setting.text(bytesMax: 64) else { return nil }
        guard let role = words.first(where: { $0.0 == text })?.1 else {
            setting.problems.error(
                "dialect.unknown-word",
                "`\(shortened(text))` is not a persona: "
                    + words.map(\.0).joined(separator: ", "), at: setting.value.range)
            return nil
        }
        var persona = Persona(role)
        switch role {
        case .slowReader:
            persona.bytesPerSecond =
                read("reads", section, PlanText.byteRate) ?? persona.bytesPerSecond
            persona.receiveBuffer =
                read("receive-buffer", section, PlanText.receiveBuffer) ?? persona.receiveBuffer
            refusePersonaKeys(section, of: role, taken: ["reads", "receive-buffer"])
        case .slowWriter:
            persona.bytesPerSecond =
                read("writes", section, PlanText.byteRate) ?? persona.bytesPerSecond
            refusePersonaKeys(section, of: role, taken: ["writes"])
        case .reconnecting:
            persona.every = stay(section["every"]) ?? persona.every
            persona.away = stay(section["away"]) ?? persona.away
            let leaves = Persona.Leave.allCases.map { ($0.rawValue, $0) }
            if let by = section["by"], let text = by.text(bytesMax: 64) {
                if let leave = leaves.first(where: { $0.0 == text })?.1 {
                    persona.leave = leave
                } else {
                    tell(by, text, "`logout`, `close` or `reset`")
                }
            }
            refusePersonaKeys(section, of: role, taken: ["every", "away", "by"])
        case .ordinary, .silent, .mute, .halfClosed:
            refusePersonaKeys(section, of: role, taken: [])
        }
        return persona
    }

    private static func read<Value>(
        _ key: String, _ section: Section, _ body: (String) throws(PlanText.Malformed) -> Value
    ) -> Value? {
        guard let setting = section[key], let text = setting.text(bytesMax: 64) else { return nil }
        do {
            return try body(text)
        } catch {
            tell(setting, text, error.expected)
            return nil
        }
    }

    private static func stay(_ setting: Setting?) -> Int64? {
        guard let setting, let time = setting.duration() else { return nil }
        guard time >= Persona.timeMin else {
            setting.problems.error(
                "dialect.bad-value", "`\(setting.path)` is 200ms or longer",
                at: setting.value.range)
            return nil
        }
        return time
    }

    private static func refusePersonaKeys(
        _ section: Section, of role: Persona.Role, taken: [String]
    ) {
        let owners = [
            "reads": "slow-reader", "receive-buffer": "slow-reader", "writes": "slow-writer",
            "every": "reconnecting", "away": "reconnecting", "by": "reconnecting",
        ]
        for key in personaKeys where !taken.contains(key) {
            guard let setting = section[key] else { continue }
            refuse(
                setting, "`\(key)` does not apply to the persona \(role.word)",
                help: "it belongs to `persona: \(owners[key] ?? "")`")
        }
    }
}
