package import DialectModel
package import Diagnostics
import LineProtocol
package import Scenario

/// Compiler from scenarios to programs.
package enum ProgramCompiler {
    /// Compiles a scenario for a dialect. Throws all errors together.
    ///
    /// - Parameter given: names of the variables set outside the scenario.
    package static func compile(
        _ file: ScenarioFile, with dialect: BoundDialect, given: Set<String> = []
    ) throws(Diagnosed) -> Program {
        let variables = given.union(file.header.settings.map(\.name.text))
        var compilation = Compilation(file: file, bound: dialect.given(variables))
        let program = compilation.program(given: given)
        let diagnostics = dialect.diagnostics + compilation.diagnostics
        if diagnostics.hasErrors { throw Diagnosed(diagnostics) }
        return program
    }
}

/// The compilation of a scenario file, with the instructions and diagnostics so far.
struct Compilation {
    let file: ScenarioFile
    let bound: BoundDialect
    /// Compiles single lines. Also holds the variables, operators and diagnostics.
    var lines: PatternCompiler
    var instructions: [Instruction] = []
    /// Names of the `use` steps that are being inlined, outermost first.
    var uses: [String] = []
    /// Index of the scenario's step that is being compiled; nil while the dialect is being
    /// compiled.
    var step: Int?

    init(file: ScenarioFile, bound: BoundDialect) {
        self.file = file
        self.bound = bound
        lines = PatternCompiler(bound.dialect)
    }

    var dialect: Dialect { bound.dialect }
    var root: Scope { lines.root }
    var diagnostics: [Diagnostic] { lines.diagnostics }
    var operators: [String] { lines.operators }

    mutating func program(given: Set<String>) -> Program {
        for name in ["nonce", "server.host", "server.port"] { _ = root.define(name) }
        for name in given.sorted() { _ = root.define(name) }
        for secret in file.header.secrets
        where root.variable(secret.text) == nil
            && !secret.text.hasPrefix(ProgramSecrets.environmentPrefix)
        {
            reportMissingSecret(secret)
            _ = root.define(secret.text)
        }
        declareNeeds()
        let settings = self.settings(given: given)
        declareOperators()
        if file.steps.isEmpty {
            report(
                "scenario.no-steps", "the scenario tests nothing, so it would always pass",
                file.source,
                SourceRange(start: 0, end: 0), help: "add at least one step")
        }
        let context = CompileContext(source: file.source, scope: root)
        let ignores = lines.patterns(bound.ignores, in: bound.source)
        let probe = compileProbe()
        for (index, step) in file.steps.enumerated() {
            self.step = index
            compile([step], context)
        }
        step = nil
        if instructions.count >= Program.instructionsMax {
            report(
                "scenario.too-large",
                "the scenario expands to more than \(Program.instructionsMax) steps",
                file.source, SourceRange(start: 0, end: 0))
        }
        let probeRefusal = probeRefusal()
        let rejects = lines.patterns(bound.rejects, in: bound.source)
        return Program(
            file: file, dialect: dialect, operators: operators, instructions: instructions,
            variables: lines.table.names, settings: settings, probe: probe,
            probeRefusal: probeRefusal, rejects: rejects,
            nameVariable: lines.nameVariable,
            standing: ignores.map {
                StandingRule(operatorIndex: nil, pattern: $0, reply: nil, isDialects: true)
            },
            stepTimeout: file.header.stepTimeout?.nanoseconds,
            fileTimeout: file.header.fileTimeout?.nanoseconds,
            secrets: ProgramSecrets(file, bound))
    }

    private mutating func settings(
        given: Set<String>
    ) -> [(variable: Int, value: MessageTemplate.Bytes, range: SourceRange)] {
        let context = CompileContext(source: file.source, scope: root)
        return file.header.settings.compactMap { setting in
            if given.contains(setting.name.text) { return nil }
            guard let value = lines.bytes(setting.value, nil, context) else { return nil }
            return (root.define(setting.name.text), value, setting.value.range)
        }
    }

    /// Declares the variables for `needs` lines. Their values come from the server.
    private mutating func declareNeeds() {
        let kinds = dialect.offers.keys.sorted() + [Need.fixture]
        for need in file.header.needs {
            _ = root.define(need.variable)
            guard !kinds.contains(need.kind.text) else { continue }
            report(
                "scenario.unknown-need",
                "the `\(dialect.name)` dialect has no kind of offer named `\(need.kind.text)`",
                file.source, need.kind.range,
                help: didYouMean(need.kind.text, among: kinds).map { "did you mean `\($0)`?" }
                    ?? "kinds: \(kinds.joined(separator: ", "))")
        }
    }

    private mutating func declareOperators() {
        for name in file.operatorNames { _ = operatorIndex(name) }
    }

    /// Returns the operator's index. If the name is new, adds the operator.
    mutating func operatorIndex(_ name: String) -> Int {
        if let index = operators.firstIndex(of: name) { return index }
        lines.operators.append(name)
        return operators.count - 1
    }

    mutating func report(
        _ code: DiagnosticCode, _ message: String, _ source: SourceText, _ range: SourceRange,
        help: String? = nil
    ) {
        lines.report(code, message, source, range, help: help)
    }

    private mutating func reportMissingSecret(_ secret: Name) {
        report(
            "scenario.missing-secret", "secret `\(secret.text)` has no value", file.source,
            secret.range,
            help: "set LINEJUDGE_SECRET_\(secret.text) in the environment")
    }
}
