import Diagnostics

/// Checker for errors that involve several lines: undeclared operators, recursive fragments and
/// unknown arguments.
struct SemanticChecker {
    private let file: ScenarioFile
    private var found: [Diagnostic] = []

    init(_ file: ScenarioFile) { self.file = file }

    /// Returns the errors found.
    ///
    /// - Parameter isComplete: true if every line was parsed. If false, errors that might be caused
    ///   by unparsed lines are not reported.
    mutating func check(isComplete: Bool) -> [Diagnostic] {
        found = []
        if file.header.operators != nil || isComplete { checkOperators() }
        guard isComplete else { return found }
        checkFragmentNames()
        checkRecursion()
        checkArguments()
        return found
    }

    private var everyStep: [Step] { file.fragments.flatMap(\.steps) + file.steps }

    private mutating func report(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange,
        help: String? = nil, related: (SourceRange, String)? = nil
    ) {
        found.append(
            file.source.diagnostic(.error, code, message, at: range, help: help, related: related))
    }

    // MARK: Operators

    private mutating func checkOperators() {
        let names = file.operatorNames
        let known = Set(names)
        var unknown: [Name] = []
        everyStep.walk { step in
            var actors = [step.actor].compactMap(\.self)
            if case .use(let use) = step.kind { actors += use.operators }
            if case .sync(let others) = step.kind { actors += others }
            for case .named(let name) in actors where !known.contains(name.text) {
                unknown.append(name)
            }
        }
        for name in unknown.prefix(ScenarioLimits.errorsMax) { reportUnknown(name, names) }
    }

    private mutating func reportUnknown(_ name: Name, _ names: [String]) {
        let help = didYouMean(name.text, among: names).map { "did you mean `\($0)`?" }
        guard let first = file.header.operators?.first, let last = file.header.operators?.last
        else {
            report(
                .unknownOperator, "`\(name.text)` is not an operator: no step starts with it",
                at: name.range,
                help: help)
            return
        }
        report(
            .unknownOperator, "`\(name.text)` is not one of the operators", at: name.range,
            help: help, related: (first.range.joined(with: last.range), "declared here"))
    }

    // MARK: Fragments

    private mutating func checkFragmentNames() {
        var first: [String: Name] = [:]
        for fragment in file.fragments {
            if let earlier = first[fragment.name.text] {
                report(
                    .duplicateName, "fragment `\(fragment.name.text)` is defined twice",
                    at: fragment.name.range, related: (earlier.range, "first defined here"))
            } else {
                first[fragment.name.text] = fragment.name
            }
        }
    }

    private func uses(in steps: [Step]) -> [Use] {
        var uses: [Use] = []
        steps.walk { if case .use(let use) = $0.kind { uses.append(use) } }
        return uses
    }

    /// Reports recursive fragments, at the `use` step that leads back to the fragment.
    private mutating func checkRecursion() {
        var edges: [String: Set<String>] = [:]
        for fragment in file.fragments {
            edges[fragment.name.text, default: []].formUnion(
                uses(in: fragment.steps).map(\.name.text))
        }
        let reachable = edges.keys.reduce(into: [:]) { $0[$1] = Self.reachable(from: $1, edges) }
        for fragment in file.fragments {
            let name = fragment.name.text
            guard reachable[name]?.contains(name) == true else { continue }
            let way = uses(in: fragment.steps).first {
                $0.name.text == name || reachable[$0.name.text]?.contains(name) == true
            }
            guard let way else { continue }
            report(
                .fragmentRecursion, "fragment `\(name)` uses itself", at: way.name.range,
                related: (fragment.name.range, "this fragment"))
        }
    }

    /// Returns all fragments used directly or indirectly by `start`.
    private static func reachable(
        from start: String, _ edges: [String: Set<String>]
    ) -> Set<String> {
        var seen: Set<String> = []
        var waiting = Array(edges[start] ?? [])
        while let next = waiting.popLast() {
            if seen.insert(next).inserted { waiting += edges[next] ?? [] }
        }
        return seen
    }

    private mutating func checkArguments() {
        let fragments = Dictionary(
            file.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        for use in uses(in: everyStep) {
            guard let fragment = fragments[use.name.text] else { continue }
            let parameters = fragment.parameters.map(\.text)
            let given = Set(use.arguments.map(\.name.text))
            let missing = fragment.parameters.filter { !given.contains($0.text) }
            let unknown = use.arguments.filter { !parameters.contains($0.name.text) }
            for argument in unknown {
                let suggestion =
                    didYouMean(argument.name.text, among: missing.map(\.text))
                    ?? (missing.count == 1 ? missing[0].text : nil)
                report(
                    .badArguments,
                    "fragment `\(use.name.text)` has no parameter `\(argument.name.text)`",
                    at: argument.name.range, help: suggestion.map { "did you mean `\($0)`?" },
                    related: (fragment.name.range, "this fragment"))
            }
            // If an argument is misspelt, its parameter appears to be missing. Report only one
            // error for both.
            for parameter in missing.dropFirst(unknown.count) {
                report(
                    .badArguments, "missing argument `\(parameter.text)`", at: use.name.range,
                    help: "write: use \(use.name.text) … (\(parameter.text): VALUE)",
                    related: (parameter.range, "this parameter"))
            }
        }
    }
}
