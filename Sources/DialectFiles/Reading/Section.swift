package import Diagnostics

/// A map whose keys are known: what it does not know it refuses.
package struct Section {
    /// Its keys from the file's top with dots between; empty for the top.
    package let path: String
    /// Its own key, or, of the whole file, the first.
    package let range: SourceRange
    package let problems: Problems
    private let entries: [YamlEntry]

    /// Nil, and an error, if `value` is no map.
    package init?(
        _ value: YamlValue, path: String, key: SourceRange? = nil, keys: [String],
        _ problems: Problems
    ) {
        guard let section = Section(open: value, path: path, key: key, problems) else {
            return nil
        }
        self = section
        refuse(except: keys)
    }

    /// A map with keys of the author's choice.
    init?(
        open value: YamlValue, path: String, key: SourceRange? = nil, _ problems: Problems
    ) {
        guard case .map(let entries) = value.kind else {
            let name = path.isEmpty ? "a dialect" : "`\(path)`"
            problems.error(
                .wrongType, "\(name) is a map of keys and values, found \(value.description)",
                at: value.range)
            return nil
        }
        self.path = path
        range = key ?? value.range
        self.problems = problems
        self.entries = entries
    }

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
    package func present(_ keys: [String]) -> [String] { keys.filter { self[$0] != nil } }

    /// The setting of a key; an error if it is not there.
    package func required(_ key: String, _ help: String) -> Setting? {
        if let setting = self[key] { return setting }
        let message = path.isEmpty ? "`\(key)` is missing" : "`\(path)` has no `\(key)`"
        problems.error(.missingKey, message, at: range, help: help)
        return nil
    }

    private func setting(_ entry: YamlEntry) -> Setting {
        Setting(
            name: entry.name, path: path.isEmpty ? entry.name : "\(path).\(entry.name)",
            key: entry.key.range, value: entry.value, problems: problems)
    }
}
