package import Diagnostics

/// Linter that finds scenarios that are valid but probably not what you meant.
package enum ScenarioLinter {
    /// Information from outside the scenario file: variables, behaviours and columns.
    package struct Context: Sendable {
        /// Variables set on the command line or in the environment.
        package var variables: Set<String>
        /// Names of the dialect's behaviours; nil if the dialect is unknown.
        package var behaviours: Set<String>?
        /// Names of the columns of the `data` file; nil if the file has not been read.
        package var columns: Set<String>?

        package init(
            variables: Set<String> = [], behaviours: Set<String>? = nil,
            columns: Set<String>? = nil
        ) {
            self.variables = variables
            self.behaviours = behaviours
            self.columns = columns
        }
    }

    /// Returns warnings and notes in source order, with an error if the file contains nothing to
    /// run. The file must have parsed without errors.
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

/// The state of a linter run, including the warnings found so far.
struct Linter {
    let file: ScenarioFile
    let context: ScenarioLinter.Context
    var list = DiagnosticList(errorsMax: ScenarioLimits.errorsMax)

    let operatorNames: [String]
    /// Parameters of each fragment.
    let parameters: [String: Set<String>]

    init(_ file: ScenarioFile, _ context: ScenarioLinter.Context) {
        self.file = file
        self.context = context
        operatorNames = file.operatorNames
        parameters = Dictionary(
            file.fragments.map { ($0.name.text, Set($0.parameters.map(\.text))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// True if the maximum number of warnings has been reached.
    var isFull: Bool { list.diagnostics.count >= ScenarioLimits.warningsMax }

    /// The steps of all fragments, followed by the top-level steps of the file.
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
        // A file that only defines fragments is not meant to be run.
        guard file.steps.allSatisfy(\.isInert), !file.steps.isEmpty || file.fragments.isEmpty
        else { return }
        report(
            .noSteps, "the scenario tests nothing, so it would always pass", severity: .error,
            at: SourceRange(start: 0, end: 0),
            help: "add steps that send and expect lines, such as `alice -> …` and `alice <- …`")
    }

    // MARK: Operators

    mutating func checkOperatorNames() {
        if let declared = file.header.operators {
            checkUnused(declared)
        } else {
            checkForTypos()
        }
    }

    /// In a file without an `operators` line, reports names that are used only once and resemble a
    /// more frequent name.
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
            guard let suggestion = didYouMean(name, among: others) else { continue }
            report(
                .likelyTypo, "`\(name)` is used only once; did you mean `\(suggestion)`?",
                at: found.first, help: "an `operators …` line turns mistyped names into errors")
        }
    }

    /// Returns true if two names differ only in their numbers, such as `user1` and `user2`.
    private static func isNumbered(_ first: String, _ second: String) -> Bool {
        let stems = [first, second].map { name in name.filter { !$0.isNumber } }
        return stems[0] == stems[1] && first != second
    }

    private mutating func checkUnused(_ declared: [Name]) {
        var used: Set<String> = []
        var isForAll = false
        (everyStep + file.included.flatMap(\.fragment.steps)).walk { step in
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
        for fragment in file.fragments
        where !file.hasOnlyFragments && !used.contains(fragment.name.text) {
            report(
                .unusedFragment, "fragment `\(fragment.name.text)` is never used",
                at: fragment.name.range)
        }
        guard let behaviours = context.behaviours else { return }
        let known =
            behaviours.sorted() + file.fragments.map(\.name.text)
            + file.included.map(\.fragment.name.text)
        for name in uses where !known.contains(name.text) {
            let suggestion = didYouMean(name.text, among: known).map { "did you mean `\($0)`?" }
            report(
                .unknownFragment, "there is no fragment or behaviour `\(name.text)`",
                severity: .error, at: name.range,
                help: suggestion
                    ?? "behaviours of the dialect: \(behaviours.sorted().joined(separator: ", "))")
        }
    }
}
