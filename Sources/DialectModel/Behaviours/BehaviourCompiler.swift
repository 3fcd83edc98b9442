import Diagnostics
import LineProtocol
import Scenario

/// A compiler that checks a dialect's behaviours and patterns for errors, such as unknown commands.
/// Only its diagnostics are used; the compiled lines are discarded.
struct BehaviourCompiler {
    private var lines: PatternCompiler
    private let source: SourceText

    init(_ dialect: Dialect, _ source: SourceText) {
        lines = PatternCompiler(dialect)
        lines.operators = ["someone"]
        self.source = source
    }

    /// Returns the errors found in behaviours and patterns, in file order.
    func diagnostics(
        _ behaviours: [String: BoundBehaviour], _ patterns: [Pattern]
    ) -> [Diagnostic] {
        var compiler = self
        for behaviour in behaviours.values.sorted(by: { $0.name < $1.name }) {
            compiler.compile(behaviour, among: behaviours)
        }
        for pattern in patterns {
            let scope = compiler.lines.dialectScope.child()
            _ = compiler.lines.pattern(pattern, nil, compiler.context(scope))
        }
        // Unbound variables are not errors here, because the caller of a behaviour may set them.
        return compiler.lines.diagnostics.filter { $0.code != "scenario.unbound-variable" }
            .inFileOrder
    }

    private func context(_ scope: Scope) -> CompileContext {
        CompileContext(source: source, scope: scope, itself: 0, isBehaviour: true)
    }

    private mutating func compile(
        _ behaviour: BoundBehaviour, among known: [String: BoundBehaviour]
    ) {
        let scope = lines.root.child(operatorName: "someone", sharesCaptures: true)
        for name in behaviour.parameters + ["name", "token"] { _ = scope.define(name) }
        var steps: [Step] = []
        behaviour.steps.walk { steps.append($0) }
        for step in steps {
            if let message = step.message { _ = lines.template(message, 0, context(scope)) }
            if let pattern = step.pattern { _ = lines.pattern(pattern, 0, context(scope)) }
            if case .use(let use) = step.kind { check(use, among: known) }
            if behaviour.name == "probe" { checkProbe(step) }
        }
    }

    private mutating func check(_ use: Use, among known: [String: BoundBehaviour]) {
        guard known[use.name.text] == nil else { return }
        lines.report(
            "scenario.unknown-fragment",
            "the \(lines.dialect.name) dialect has no behaviour `\(use.name.text)`",
            source, use.name.range,
            help: didYouMean(use.name.text, among: known.keys.sorted())
                .map { "did you mean `\($0)`?" })
    }

    private mutating func checkProbe(_ step: Step) {
        guard step.sent == nil, step.awaited == nil else { return }
        lines.report(
            "dialect.bad-probe", "a probe may only contain sends and expectations", source,
            step.range,
            help: "use only `->`, `<-` and `<~` steps")
    }
}
