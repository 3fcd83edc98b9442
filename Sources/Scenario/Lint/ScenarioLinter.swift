package import Diagnostics

/// Says what in a scenario can be played and yet is hardly meant so.
package enum ScenarioLinter {
    /// What is known beyond the file.
    package struct Context: Sendable {
        /// Variables that the command line or the environment gives a value.
        package var variables: Set<String>
        /// The dialect's behaviours, and its snippets; nil where the dialect is not known.
        package var behaviours: Set<String>?

        /// What is known; nothing unless it is said.
        package init(variables: Set<String> = [], behaviours: Set<String>? = nil) {
            self.variables = variables
            self.behaviours = behaviours
        }
    }

    /// Warnings and notes, and an error where there is nothing to be played, in the order of the text.
    /// Expects a file without errors.
    package static func lint(
        _ file: ScenarioFile, context: Context = Context()
    ) -> [Diagnostic] {
        var linter = Linter(file, context)
        linter.checkWhole()
        linter.checkOperatorNames()
        linter.checkFragments()
        linter.checkTexts()
        linter.checkVariables()
        linter.checkConnections()
        linter.checkOrder()
        return linter.list.sorted
    }
}

/// Goes through a scenario for what is hardly meant so.
struct Linter {
    let file: ScenarioFile
    let context: ScenarioLinter.Context
    var list = DiagnosticList(errorsMax: ScenarioLimits.errorsMax)

    /// Who takes part.
    let operatorNames: [String]
    /// The parameters of each fragment.
    let parameters: [String: Set<String>]

    init(_ file: ScenarioFile, _ context: ScenarioLinter.Context) {
        self.file = file
        self.context = context
        operatorNames = file.operatorNames
        parameters = Dictionary(
            file.fragments.map { ($0.name.text, Set($0.parameters.map(\.text))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether enough has been said.
    var isFull: Bool { list.diagnostics.count >= ScenarioLimits.warningsMax }

    /// The steps of fragments, then those of the file.
    var everyStep: [Step] { file.fragments.flatMap(\.steps) + file.steps }

    mutating func report(
        _ code: DiagnosticCode, _ message: String, severity: Severity = .warning,
        at range: SourceRange, help: String? = nil, related: (SourceRange, String)? = nil
    ) {
        if isFull { return }
        list.add(
            file.source.diagnostic(severity, code, message, at: range, help: help, related: related)
        )
    }

    mutating func checkWhole() {
        // A file of fragments only is not one to be played.
        guard file.steps.allSatisfy(\.isInert), !file.steps.isEmpty || file.fragments.isEmpty
        else { return }
        report(
            .noSteps, "the scenario does nothing, so it could only pass", severity: .error,
            at: SourceRange(start: 0, end: 0),
            help: "write what is sent and expected, such as `alice -> …` and `alice <- …`")
    }

    // MARK: Operators

    mutating func checkOperatorNames() {
        if let declared = file.header.operators {
            checkUnused(declared)
        } else {
            checkForTypos()
        }
    }

    /// Without an `operators` line, a name with a single step that looks like one with more.
    private mutating func checkForTypos() {
        var counts: [String: (count: Int, first: SourceRange)] = [:]
        everyStep.walk { step in
            guard case .named(let name) = step.actor else { return }
            counts[name.text, default: (0, name.range)].count += 1
        }
        let names = operatorNames
        guard names.count <= ScenarioLimits.comparedOperatorsMax else { return }
        for name in names {
            guard let found = counts[name], found.count == 1 else { continue }
            let others = names.filter { counts[$0]?.count ?? 0 > 1 && !Self.isNumbered($0, name) }
            guard let meant = didYouMean(name, among: others) else { continue }
            report(
                .likelyTypo, "`\(name)` becomes an operator of its own; is `\(meant)` meant?",
                at: found.first, help: "with a line `operators …` a slip of the pen is an error")
        }
    }

    /// Whether two names differ in their numbers only: `user1`, `user2`.
    private static func isNumbered(_ first: String, _ second: String) -> Bool {
        let stems = [first, second].map { name in name.filter { !$0.isNumber } }
        return stems[0] == stems[1] && first != second
    }

    private mutating func checkUnused(_ declared: [Name]) {
        var used: Set<String> = []
        var isForAll = false
        everyStep.walk { step in
            if let name = step.actor?.name { used.insert(name) }
            switch step.kind {
            case .use(let use):
                used.formUnion(use.operators.compactMap(\.name))
                if use.operators.isEmpty { isForAll = true }
            case .sync(let actors): used.formUnion(actors.compactMap(\.name))
            default: break
            }
        }
        if isForAll { return }
        for name in declared where !used.contains(name.text) {
            report(.unusedOperator, "`\(name.text)` does nothing in this scenario", at: name.range)
        }
    }

    // MARK: Fragments

    mutating func checkFragments() {
        var uses: [Name] = []
        everyStep.walk { if case .use(let use) = $0.kind { uses.append(use.name) } }
        let used = Set(uses.map(\.text))
        for fragment in file.fragments where !used.contains(fragment.name.text) {
            report(
                .unusedFragment, "the fragment `\(fragment.name.text)` is never used",
                at: fragment.name.range)
        }
        guard let behaviours = context.behaviours else { return }
        let known = behaviours.sorted() + file.fragments.map(\.name.text)
        for name in uses where !known.contains(name.text) {
            let meant = didYouMean(name.text, among: known).map { "did you mean `\($0)`?" }
            report(
                .unknownFragment, "there is no fragment or behaviour `\(name.text)`",
                severity: .error, at: name.range,
                help: meant ?? "the dialect has: \(behaviours.sorted().joined(separator: ", "))")
        }
    }
}
