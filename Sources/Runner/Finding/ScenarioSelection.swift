import Diagnostics
import Scenario

/// A selection of scenarios by `--filter`, `--tag` and `--last-failed`.
package struct ScenarioSelection: Sendable, Hashable {
    /// Values of `--filter`: part of the title or path (case-insensitive), or a glob that matches
    /// the whole title or path. At least one filter must match.
    package var filters: [String] = []
    /// Values of `--tag`: `a,b` matches scenarios with either tag, `!c` matches scenarios without
    /// the tag. All values must match.
    package var tags: [String] = []
    /// The scenarios that failed in the last run; nil unless `--last-failed` is given.
    package var lastFailed: LastFailed?

    /// Creates a selection that includes everything.
    package init() {}

    /// Returns true if a scenario is selected.
    ///
    /// - Parameter tags: Tags of the scenario; nil if its file cannot be read, in which case
    ///   `--tag` does not exclude it.
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

    /// Returns the selected scenarios.
    ///
    /// - Throws: An error with a suggestion if no scenario is selected.
    package func apply(to scenarios: [LoadedScenario]) throws(NothingFound) -> [LoadedScenario] {
        for scenario in scenarios {
            try Self.checkLine(of: scenario)
            try Self.checkRows(of: scenario)
        }
        let selected = scenarios.filter {
            contains(path: $0.path, title: $0.title, tags: $0.file == nil ? nil : $0.tags)
        }.map(withFailedRows)
        if !selected.isEmpty { return selected }
        throw NothingFound(
            scenarios.count == 1
                ? "the only scenario does not match"
                : "none of the \(scenarios.count) scenarios matches",
            help: suggestion(among: scenarios),
            note: criteria.isEmpty ? nil : "selected by \(criteria)")
    }

    /// Throws an error if the given line number is beyond the end of the file.
    private static func checkLine(of scenario: LoadedScenario) throws(NothingFound) {
        guard let line = scenario.line, let source = scenario.file?.source else { return }
        // A newline at the end of the file does not start another line.
        let isEnded = source.bytes.last == UInt8(ascii: "\n")
        let count = isEnded ? source.lineCount - 1 : source.lineCount
        guard line > count else { return }
        throw NothingFound(
            "`\(escapedForDisplay(scenario.path))` has no line \(line)",
            help: "its last line is \(count)")
    }

    /// Throws an error if a given row number does not exist.
    private static func checkRows(of scenario: LoadedScenario) throws(NothingFound) {
        guard let rows = scenario.selectedRows, scenario.program != nil else { return }
        let path = "`\(escapedForDisplay(scenario.path))`"
        guard let data = scenario.data else {
            throw NothingFound(
                "\(path) has no rows",
                help: "leave out `#\(rows.min() ?? 1)`: the scenario has no `data` line")
        }
        let known = Set(data.rows.map(\.number))
        guard let unknown = rows.subtracting(known).min() else { return }
        throw NothingFound(
            "\(path) has no row \(unknown)", help: "its last row is \(data.rows.last?.number ?? 0)")
    }

    /// For `--last-failed`, restricts a scenario to its failed data rows.
    private func withFailedRows(_ scenario: LoadedScenario) -> LoadedScenario {
        guard let failed = lastFailed?.rows(of: scenario.path) else { return scenario }
        let known = Set(scenario.rows?.map(\.number) ?? []).intersection(failed)
        // If none of the rows exists, the data has changed since the last run.
        guard !known.isEmpty else { return scenario }
        var scenario = scenario
        scenario.selectedRows = known
        return scenario
    }

    private var criteria: String {
        var parts = filters.map { "--filter \(escapedForDisplay($0))" }
        parts += tags.map { "--tag \(escapedForDisplay($0))" }
        if let lastFailed {
            let count = lastFailed.count
            parts.append("--last-failed (\(count == 0 ? "no failures" : "\(count) failed"))")
        }
        return parts.joined(separator: ", ")
    }

    private func suggestion(among scenarios: [LoadedScenario]) -> String? {
        let known = Set(scenarios.flatMap(\.tags))
        let words = tags.flatMap { $0.split(separator: ",").map { $0.trimmed } }
        for word in words where !word.hasPrefix("!") && !known.contains(word) {
            if let suggestion = didYouMean(word, among: known.sorted()) {
                return "did you mean --tag \(suggestion)?"
            }
            return known.isEmpty
                ? "no scenario has tags"
                : "available tags: \(known.sorted().joined(separator: ", "))"
        }
        return nil
    }
}

extension Substring {
    /// The text without leading and trailing whitespace.
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
