package import Diagnostics
package import LineProtocol
import Scenario

/// Compiles single lines: messages that are sent become templates, and expectations become
/// patterns.
///
/// Variables are indices into a shared table, so that several compiled lines can share values.
package struct PatternCompiler {
    package let dialect: Dialect
    let splitter: LineSplitter
    package let table = VariableTable()
    /// The outermost scope.
    package let root: Scope
    /// The scope of the dialect's own patterns, which can refer to the receiver's name.
    package let dialectScope: Scope
    /// Index of the variable that holds the receiver's name during matching.
    package let nameVariable: Int
    /// Operator names, by index.
    package var operators: [String] = []
    /// The errors found so far.
    package var diagnostics: [Diagnostic] = []

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        splitter = LineSplitter(dialect)
        root = Scope(table)
        dialectScope = root.child()
        nameVariable = dialectScope.define("name")
    }

    /// Reports an error, unless it has already been reported, for example for another operator.
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
