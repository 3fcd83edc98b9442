package import Diagnostics
package import LineProtocol
import Scenario

/// A compiler for single lines. Sent messages become templates, and expectations become patterns.
///
/// Variables are indices into a shared table, so separately compiled lines can share values.
package struct PatternCompiler {
    package let dialect: Dialect
    /// Splits expected lines, which servers send.
    let splitter: LineSplitter
    package let table = VariableTable()
    /// The outermost scope.
    package let root: Scope
    /// The scope for the dialect's own patterns, in which the recipient's name is visible.
    package let dialectScope: Scope
    /// Index of the variable that holds the recipient's name while a line is matched.
    package let nameVariable: Int
    /// Operator names, by index.
    package var operators: [String] = []
    /// The errors found so far.
    package var diagnostics: [Diagnostic] = []

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        splitter = LineSplitter(dialect, direction: .fromServer)
        root = Scope(table)
        dialectScope = root.child()
        nameVariable = dialectScope.define("name")
    }

    /// Reports an error unless it has been reported before, for example for another operator.
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
