/// A dialect setting with the value that describes what a server was observed to do.
package struct ObservedSetting: Sendable, Hashable {
    /// Section of the dialect file, such as `policies`.
    package var section: String
    package var key: String
    package var value: String

    /// Values of settings, by class of behaviour. Classes that do not determine a value are left
    /// out.
    private static let values: [String: [String: String]] = {
        let lines = ["ignore": "ignore", "close": "close", "refuseAndClose": "close"]
        let command = lines.merging(["refuse": "error"]) { $1 }
        let bytes = Dictionary(
            uniqueKeysWithValues: ["pass", "strip", "replace", "reject", "close"].map { ($0, $0) })
        return [
            "policies.unknown-command": command,
            "policies.early-command": command.merging(["serve": "serve"]) { $1 },
            "policies.half-close": ["serve": "serve", "close": "close"],
            "policies.nul": bytes.merging(["cut": "cut"]) { $1 },
            "policies.control-bytes": bytes,
            "policies.invalid-utf8": bytes,
            "policies.name-case": ["different": "exact"],
            "policies.name-too-long": ["cut": "cut", "reject": "reject"],
            "tolerance.too-few": ["refuse": "reject"],
            "tolerance.too-many": [
                "ignore": "ignore", "joinLast": "join-last", "refuse": "reject",
            ],
            "tolerance.mismatch": ["refuse": "reject"],
            "framing.overflow": [
                "cut": "truncate", "refuse": "reject", "drop": "discard", "close": "close",
                "refuseAndClose": "close",
            ],
            "framing.empty-lines": ["ignore": "ignore", "refuse": "message"],
            "escaping.unknown": ["decode": "letter", "verbatim": "verbatim", "refuse": "error"],
        ]
    }()

    /// Rules that observe more than the setting that they depend on.
    fileprivate static let otherRules: Set<String> = ["frame.ws"]

    /// Returns the value of a check's setting that describes a class of behaviour; nil if there is
    /// none, or if the dialect specifies the setting.
    fileprivate static func value(_ setting: String, _ word: String) -> String? {
        values[setting]?[word]
    }

    /// The settings that describe the behaviour that checks observed, sorted. A setting is left out
    /// if checks observed different behaviour, or if only some commands leave it open.
    package static func all(_ checks: [CheckResult]) -> [ObservedSetting] {
        var found: [String: Set<String?>] = [:]
        let specified = Set(
            checks.filter { !$0.basis.hasSuffix(": ?") }.compactMap { check in
                check.basis.firstIndex(of: ":").map { String(check.basis[..<$0]) }
            })
        for check in checks where check.verdict == .observed {
            guard let setting = check.openSetting, !specified.contains(setting) else { continue }
            for words in check.measured.words.flatMap({ $0.split(separator: "; ") }) {
                for word in words.split(separator: ", ") {
                    found[setting, default: []].insert(value(setting, String(word)))
                }
            }
        }
        return found.sorted { $0.key < $1.key }.compactMap { setting, values in
            guard values.count == 1, let value = values.first ?? nil,
                let dot = setting.firstIndex(of: ".")
            else { return nil }
            return ObservedSetting(
                section: String(setting[..<dot]),
                key: String(setting[setting.index(after: dot)...]), value: value)
        }
    }

    /// Returns the settings as lines of a dialect file.
    package static func yaml(_ settings: [ObservedSetting]) -> [String] {
        var lines: [String] = []
        var section: String?
        for setting in settings {
            if setting.section != section { lines.append("\(setting.section):") }
            section = setting.section
            lines.append("  \(setting.key): \(setting.value)")
        }
        return lines
    }
}

extension CheckResult {
    /// The setting whose value the check determines; nil if the dialect specifies it.
    package var openSetting: String? {
        guard basis.hasSuffix(": ?"), !ObservedSetting.otherRules.contains(id.rule) else {
            return nil
        }
        return String(basis.dropLast(3))
    }

    /// The observed classes of behaviour, in the words of the dialect's setting where it has one.
    package var observedWords: String {
        let setting = openSetting ?? ""
        return classes.map { words in
            words.split(separator: ", ").map { word in
                ObservedSetting.value(setting, String(word)) ?? String(word)
            }.joined(separator: ", ")
        }.joined(separator: "; ")
    }
}
