package import Diagnostics
package import LineProtocol
import Scenario
import Session

/// The scenario text in a dialect: its behaviours, and how refusals and unasked lines look.
package enum DialectText {
    /// Everything that keeps it from being played, placed in the dialect's file.
    package static func diagnostics(of dialect: Dialect, in source: SourceText) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for name in dialect.behaviours.keys.sorted() {
            guard let behaviour = dialect.behaviours[name] else { continue }
            found += parse(behaviour.text, behaviour, source)
        }
        for pattern in dialect.rejects + dialect.ignores {
            found += parse("<- " + pattern.text, pattern, source, lead: 3)
        }
        // What does not read cannot be compiled.
        if !found.hasErrors { found = compile(dialect, source) }
        let ordered = found.sorted { start($0) < start($1) }
        return ordered.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func parse(
        _ text: String, _ behaviour: Behaviour, _ source: SourceText, lead: Int = 0
    ) -> [Diagnostic] {
        ScenarioParser.parseFragment(
            Array(text.utf8), in: source, line: behaviour.line, column: behaviour.column - lead
        ).diagnostics
    }

    /// Plays every behaviour in a made-up scenario, as far as to find what does not fit the dialect.
    private static func compile(_ dialect: Dialect, _ source: SourceText) -> [Diagnostic] {
        let uses = dialect.behaviours.values.sorted { $0.name < $1.name }.map { behaviour in
            let arguments = behaviour.parameters.map { "\($0): \"x\"" }.joined(separator: ", ")
            return "use \(behaviour.name) as someone" + (arguments.isEmpty ? "" : " (\(arguments))")
        }
        let text = (["operators someone"] + uses).joined(separator: "\n") + "\n"
        let scenario = SourceText(path: "", text: text)
        do {
            let file = try ScenarioParser.file(from: scenario)
            _ = try ProgramCompiler.compile(file, with: dialect, dialectSource: source)
            return []
        } catch {
            let placed = error.diagnostics.filter { $0.location?.source == source }
            // A variable may get its value from whoever plays the behaviour.
            return placed.filter { $0.code != "scenario.unbound-variable" }.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.related.removeAll { $0.source == scenario }
                return diagnostic
            }
        }
    }

    private static func start(_ diagnostic: Diagnostic) -> Int {
        diagnostic.location?.range.start ?? 0
    }
}
