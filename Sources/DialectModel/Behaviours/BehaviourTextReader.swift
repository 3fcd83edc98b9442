import Diagnostics
import LineProtocol
import Scenario

/// A parser for the scenario text in a dialect file. No other code parses that text.
struct BehaviourTextReader {
    private let dialect: Dialect
    private let source: SourceText
    /// Shared by all lines, because creating a decoder is slow.
    private let decoder: MessageDecoder
    private var found: [Diagnostic] = []

    init(_ dialect: Dialect, _ source: SourceText) {
        self.dialect = dialect
        self.source = source
        decoder = MessageDecoder(dialect)
    }

    var diagnostics: [Diagnostic] { found.inFileOrder }

    mutating func behaviour(_ behaviour: Behaviour) -> BoundBehaviour {
        let steps = parse(behaviour.scenarioText, behaviour, column: behaviour.column)
        var bound = BoundBehaviour(
            behaviour.name, parameters: behaviour.parameters, steps: steps, dialect,
            decoder)
        bound.needs = behaviour.needs
        return bound
    }

    /// Parses a pattern of `rejects` or `ignores`, which is written like the text after `<-`.
    /// Reports errors and returns nil if it is invalid.
    mutating func pattern(_ behaviour: Behaviour) -> Pattern? {
        let arrow = "<- "
        let steps = parse(
            arrow + behaviour.scenarioText, behaviour, column: behaviour.column - arrow.utf8.count)
        return steps.first?.awaited
    }

    private mutating func parse(_ text: String, _ behaviour: Behaviour, column: Int) -> [Step] {
        let outcome = ScenarioParser.parseFragment(
            Array(text.utf8), in: source, line: behaviour.line, column: column)
        found += outcome.diagnostics
        return outcome.steps
    }
}

extension [Diagnostic] {
    /// The diagnostics without duplicates, in file order.
    var inFileOrder: [Diagnostic] {
        func start(_ diagnostic: Diagnostic) -> Int { diagnostic.location?.range.start ?? 0 }
        return sorted { start($0) < start($1) }.reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }
}
