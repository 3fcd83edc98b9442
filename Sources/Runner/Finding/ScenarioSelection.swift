import Diagnostics

/// Which of the scenarios that were found are played: `--filter`, `--tag`, `--last-failed`.
package struct ScenarioSelection: Sendable, Hashable {
    /// `--filter` texts: a part of the title or path, whatever its case, or a glob for all of it. One
    /// of them must hold.
    package var filters: [String] = []
    /// `--tag` texts: `a,b` holds for a scenario with one of the tags, `!c` for one without the tag.
    /// All of them must hold.
    package var tags: [String] = []
    /// With `--last-failed`, the paths that failed when they were played last.
    package var lastFailed: LastFailed?

    /// A selection of everything.
    package init() {}

    /// Whether a scenario is selected.
    ///
    /// - Parameter tags: its tags; nil where its file cannot be read, which `--tag` never hides.
    package func contains(path: String, title: String, tags: [String]?) -> Bool {
        if let lastFailed, !lastFailed.contains(path) { return false }
        let isFiltered = filters.isEmpty || filters.contains { Self.holds($0, path, title) }
        guard isFiltered else { return false }
        guard let tags else { return true }
        return self.tags.allSatisfy { Self.holds($0, tags) }
    }

    private static func holds(_ filter: String, _ path: String, _ title: String) -> Bool {
        if Glob.isPattern(filter) {
            let glob = Glob(filter)
            return glob.matches(path) || glob.matches(title)
        }
        let filter = filter.lowercased()
        return path.lowercased().contains(filter) || title.lowercased().contains(filter)
    }

    private static func holds(_ filter: String, _ tags: [String]) -> Bool {
        let words = filter.split(separator: ",").map { $0.trimmed }
        let wanted = words.filter { !$0.hasPrefix("!") }
        let unwanted = words.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        if unwanted.contains(where: tags.contains) { return false }
        return wanted.isEmpty || wanted.contains(where: tags.contains)
    }

    /// Takes those of the scenarios that are selected.
    ///
    /// - Throws: if there is none; says which words asked for what there is not.
    package func apply(to scenarios: [LoadedScenario]) throws(NothingFound) -> [LoadedScenario] {
        let selected = scenarios.filter {
            contains(path: $0.path, title: $0.title, tags: $0.file == nil ? nil : $0.tags)
        }
        if !selected.isEmpty { return selected }
        throw NothingFound(
            scenarios.count == 1
                ? "the only scenario is not selected"
                : "none of \(scenarios.count) scenarios is selected",
            help: meant(among: scenarios), note: asked.isEmpty ? nil : "asked for \(asked)")
    }

    private var asked: String {
        var parts = filters.map { "--filter \(escapedForDisplay($0))" }
        parts += tags.map { "--tag \(escapedForDisplay($0))" }
        if let lastFailed {
            let count = lastFailed.paths.count
            parts.append("--last-failed (\(count == 0 ? "nothing had failed" : "\(count) failed"))")
        }
        return parts.joined(separator: ", ")
    }

    private func meant(among scenarios: [LoadedScenario]) -> String? {
        let known = Set(scenarios.flatMap(\.tags))
        let words = tags.flatMap { $0.split(separator: ",").map { $0.trimmed } }
        for word in words where !word.hasPrefix("!") && !known.contains(word) {
            if let meant = didYouMean(word, among: known.sorted()) {
                return "did you mean --tag \(meant)?"
            }
            return known.isEmpty
                ? "no scenario has a tag" : "there are: \(known.sorted().joined(separator: ", "))"
        }
        return nil
    }
}

extension Substring {
    /// Without blanks at its ends.
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
