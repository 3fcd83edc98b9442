package import Diagnostics

/// A map whose keys are known: what it does not know it refuses.
package struct Section {
    /// Where it stands.
    private let place: SettingPath
    /// Its own key, or, of the whole file, the first.
    package let range: SourceRange
    package let problems: Problems
    private let entries: [YamlEntry]

    /// Nil, and an error, if `value` is no map.
    package init?(
        _ value: YamlValue, at place: SettingPath = .top, key: SourceRange? = nil, keys: [String],
        _ problems: Problems
    ) {
        guard let section = Section(open: value, at: place, key: key, problems) else {
            return nil
        }
        self = section
        refuse(except: keys)
    }

    /// A map with keys of the author's choice.
    init?(
        open value: YamlValue, at place: SettingPath, key: SourceRange? = nil,
        _ problems: Problems
    ) {
        guard case .map(let entries) = value.kind else {
            let path = place.text
            let name = path.isEmpty ? "a dialect" : "`\(path)`"
            problems.error(
                .wrongType, "\(name) is a map of keys and values, found \(value.description)",
                at: value.range)
            return nil
        }
        self.place = place
        range = key ?? value.range
        self.problems = problems
        self.entries = entries
    }

    /// Its keys from the file's top with dots between; empty for the top.
    package var path: String { place.text }

    private func refuse(except keys: [String]) {
        for entry in entries where !keys.contains(entry.name) {
            let place = path.isEmpty ? "" : " in `\(path)`"
            let meant = didYouMean(entry.name, among: keys).map { "did you mean `\($0)`?" }
            let help =
                entry.name == "<<"
                ? "write out what is to be merged" : meant ?? "known keys: \(listed(keys, "and"))"
            problems.error(
                .unknownKey, "unknown key `\(shortened(entry.name))`\(place)", at: entry.key.range,
                help: help)
        }
    }

    /// The setting of a key, if it is there.
    package subscript(_ key: String) -> Setting? {
        entries.first { $0.name == key }.map(setting)
    }

    /// Every setting, in the order of the file.
    package var settings: [Setting] { entries.map(setting) }

    /// Which of the keys are there.
    package func present(_ keys: [String]) -> [String] {
        keys.filter { key in entries.contains { $0.name == key } }
    }

    /// The setting of a key; an error if it is not there.
    package func required(_ key: String, _ help: String) -> Setting? {
        if let setting = self[key] { return setting }
        let message = path.isEmpty ? "`\(key)` is missing" : "`\(path)` has no `\(key)`"
        problems.error(.missingKey, message, at: range, help: help)
        return nil
    }

    private func setting(_ entry: YamlEntry) -> Setting {
        Setting(
            name: entry.name, place: .key(entry.name, in: place), key: entry.key.range,
            value: entry.value, problems: problems)
    }
}
