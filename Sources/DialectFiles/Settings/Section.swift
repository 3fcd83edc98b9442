package import Diagnostics

/// A map in a settings file. Its settings are read by key.
package struct Section {
    private let settingPath: SettingPath
    /// Range of the map's key; for the top-level map, the range of its first byte.
    package let range: SourceRange
    package let problems: Problems
    private let entries: [YamlEntry]

    /// Creates a section with the given keys; any other key is an error. Reports an error and
    /// returns nil if `value` is not a map.
    package init?(
        _ value: YamlValue, at settingPath: SettingPath = .top, key: SourceRange? = nil,
        keys: [String],
        _ problems: Problems
    ) {
        guard let section = Section(open: value, at: settingPath, key: key, problems) else {
            return nil
        }
        self = section
        refuse(except: keys)
    }

    /// Creates a section that may have any keys, because the author of the file chooses them.
    /// Reports an error and returns nil if `value` is not a map.
    init?(
        open value: YamlValue, at settingPath: SettingPath, key: SourceRange? = nil,
        _ problems: Problems
    ) {
        guard case .map(let entries) = value.kind else {
            let path = settingPath.text
            let name = path.isEmpty ? "a dialect" : "`\(path)`"
            problems.error(
                .wrongType, "\(name) must be a map of keys and values, found \(value.description)",
                at: value.range)
            return nil
        }
        self.settingPath = settingPath
        range = key ?? value.range
        self.problems = problems
        self.entries = entries
    }

    /// Path of keys from the top of the file to the map, joined by dots; empty for the top-level
    /// map.
    package var path: String { settingPath.text }

    private func refuse(except keys: [String]) {
        for entry in entries where !keys.contains(entry.name) {
            let suffix = path.isEmpty ? "" : " in `\(path)`"
            let suggestion = didYouMean(entry.name, among: keys).map { "did you mean `\($0)`?" }
            let help =
                entry.name == "<<"
                ? "merge keys are not supported: write out the merged keys"
                : suggestion ?? "known keys: \(listed(keys, "and"))"
            problems.error(
                .unknownKey, "unknown key `\(shortened(entry.name))`\(suffix)", at: entry.key.range,
                help: help)
        }
    }

    /// Returns the setting of a key; nil if it is missing.
    package subscript(_ key: String) -> Setting? {
        entries.first { $0.name == key }.map(setting)
    }

    /// All settings, in file order.
    package var settings: [Setting] { entries.map(setting) }

    package func present(_ keys: [String]) -> [String] {
        keys.filter { key in entries.contains { $0.name == key } }
    }

    /// Returns the setting of a key. Reports an error and returns nil if it is missing.
    package func required(_ key: String, _ help: String) -> Setting? {
        if let setting = self[key] { return setting }
        let message = path.isEmpty ? "`\(key)` is missing" : "`\(path)` has no `\(key)`"
        problems.error(.missingKey, message, at: range, help: help)
        return nil
    }

    private func setting(_ entry: YamlEntry) -> Setting {
        Setting(
            name: entry.name, settingPath: .key(entry.name, in: settingPath), key: entry.key.range,
            value: entry.value, problems: problems)
    }
}
