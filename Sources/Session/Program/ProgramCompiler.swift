package import Diagnostics
package import LineProtocol
package import Scenario

/// Makes programs of scenarios.
package enum ProgramCompiler {
    /// Compiles a scenario for a dialect, or throws everything that keeps it from being played.
    ///
    /// - Parameters:
    ///   - dialectSource: the dialect's file, for errors inside its behaviours.
    ///   - given: the names of variables that have values from outside.
    package static func compile(
        _ file: ScenarioFile, with dialect: Dialect, dialectSource: SourceText,
        given: Set<String> = []
    ) throws(Diagnosed) -> Program {
        var compilation = Compilation(file: file, dialect: dialect, dialectSource: dialectSource)
        let program = compilation.program(given: given)
        if compilation.diagnostics.hasErrors { throw Diagnosed(compilation.diagnostics) }
        return program
    }
}

/// The state of compiling one scenario.
struct Compilation {
    let file: ScenarioFile
    let dialect: Dialect
    let dialectSource: SourceText
    let splitter: LineSplitter
    let table = VariableTable()
    let root: Scope
    /// What the dialect's own patterns know: the name of the operator that they are held for.
    let dialectScope: Scope
    let nameVariable: Int
    var operators: [String] = []
    var instructions: [Instruction] = []
    var diagnostics: [Diagnostic] = []
    /// The `use` lines that are being put in their places, outermost first.
    var uses: [String] = []

    /// What holds for the steps that are being compiled.
    struct Place {
        var source: SourceText
        var scope: Scope
        /// Who `self` is.
        var itself: Int?
        var useSite: SourceRange?
        var isBehaviour = false
    }

    init(file: ScenarioFile, dialect: Dialect, dialectSource: SourceText) {
        self.file = file
        self.dialect = dialect
        self.dialectSource = dialectSource
        splitter = LineSplitter(dialect)
        root = Scope(table)
        dialectScope = root.child()
        nameVariable = dialectScope.define("name")
    }

    mutating func program(given: Set<String>) -> Program {
        for name in ["nonce", "server.host", "server.port"] { _ = root.define(name) }
        for name in given.sorted() { _ = root.define(name) }
        for secret in file.header.secrets where root.variable(secret.text) == nil {
            reportMissingSecret(secret)
            _ = root.define(secret.text)
        }
        let settings = self.settings(given: given)
        declareOperators()
        if file.steps.isEmpty {
            report(
                "scenario.no-steps", "the scenario does nothing, so it could only pass",
                file.source,
                SourceRange(start: 0, end: 0), help: "a scenario needs at least one step")
        }
        let place = Place(source: file.source, scope: root)
        let standing = dialectRules()
        let probe = compileProbe()
        compile(file.steps, place)
        if instructions.count >= Program.instructionsMax {
            report(
                "scenario.too-large",
                "the scenario becomes more than \(Program.instructionsMax) steps",
                file.source, SourceRange(start: 0, end: 0))
        }
        return Program(
            file: file, dialect: dialect, operators: operators, instructions: instructions,
            variables: table.names, settings: settings, probe: probe, probeRefusal: probeRefusal(),
            rejects: rejects(),
            nameVariable: nameVariable, standing: standing,
            stepTimeout: file.header.stepTimeout?.nanoseconds,
            fileTimeout: file.header.fileTimeout?.nanoseconds,
            secrets: file.header.secrets.map(\.text))
    }

    private mutating func settings(
        given: Set<String>
    ) -> [(variable: Int, value: MessageTemplate.Bytes, range: SourceRange)] {
        let place = Place(source: file.source, scope: root)
        return file.header.settings.compactMap { setting in
            if given.contains(setting.name.text) { return nil }
            guard let value = bytes(setting.value, nil, place) else { return nil }
            return (root.define(setting.name.text), value, setting.value.range)
        }
    }

    private mutating func declareOperators() {
        for name in file.operatorNames { _ = operatorIndex(name) }
    }

    /// The operator's place; a name that was not met before is a new operator.
    mutating func operatorIndex(_ name: String) -> Int {
        if let index = operators.firstIndex(of: name) { return index }
        operators.append(name)
        return operators.count - 1
    }

    mutating func report(
        _ code: DiagnosticCode, _ message: String, _ source: SourceText, _ range: SourceRange,
        label: String = "", help: String? = nil
    ) {
        guard diagnostics.count < ScenarioLimits.errorsMax else { return }
        var diagnostic = Diagnostic(
            .error, code, message,
            at: DiagnosticLocation(source: source, range: range, label: label))
        if let help { diagnostic = diagnostic.help(help) }
        // The same behaviour used by several operators is wrong only once.
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }

    private mutating func reportMissingSecret(_ secret: Name) {
        report(
            "scenario.missing-secret", "the secret \(secret.text) has no value", file.source,
            secret.range,
            help: "set LINEJUDGE_SECRET_\(secret.text) in the environment")
    }
}
