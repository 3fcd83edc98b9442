package import Diagnostics
package import LineProtocol
import Scenario

/// A compiler of single lines: messages to send become templates, expectations become patterns.
///
/// Variables become indices into one table, so that whoever compiles several lines can match and send
/// them with the same values.
package struct PatternCompiler {
    package let dialect: Dialect
    let splitter: LineSplitter
    package let table = VariableTable()
    /// The outermost scope.
    package let root: Scope
    /// The scope of the dialect's own patterns: it knows the receiving operator's name.
    package let dialectScope: Scope
    /// The variable that holds the name of the operator whose line is matched.
    package let nameVariable: Int
    /// The operators by name; an operator is its index here.
    package var operators: [String] = []
    /// Everything found wrong so far.
    package var diagnostics: [Diagnostic] = []

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        splitter = LineSplitter(dialect)
        root = Scope(table)
        dialectScope = root.child()
        nameVariable = dialectScope.define("name")
    }

    /// Reports an error, once: a behaviour used by several operators is wrong only once.
    package mutating func report(
        _ code: DiagnosticCode, _ message: String, _ source: SourceText, _ range: SourceRange,
        label: String = "", help: String? = nil
    ) {
        guard diagnostics.count < ScenarioLimits.errorsMax else { return }
        var diagnostic = Diagnostic(
            .error, code, message,
            at: DiagnosticLocation(source: source, range: range, label: label))
        if let help { diagnostic = diagnostic.help(help) }
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
}
