package import Console
package import Diagnostics
package import Report
package import Results

/// A printer for the linter's findings.
package struct FindingsPrinter {
    private let diagnostics: [Diagnostic]
    private let style: Style
    private let output: Output

    package init(_ diagnostics: [Diagnostic], style: Style, output: Output = .standard) {
        self.diagnostics = diagnostics
        self.style = style
        self.output = output
    }

    /// Prints the findings and the totals by severity.
    ///
    /// - Throws: The exit code if there are errors or warnings.
    package func show(fileCount: Int) throws(CommandFailure) {
        if !diagnostics.isEmpty {
            let renderer = DiagnosticRenderer(isColoured: style.isColoured)
            output.write(renderer.text(diagnostics) + "\n")
        }
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count { $0.severity == .warning }
        let found = [counted(errors, "error"), counted(warnings, "warning")]
        output.write("\(counted(fileCount, "file")): \(found.joined(separator: ", "))\n")
        if errors > 0 { throw CommandFailure(.unparsable) }
        if warnings > 0 { throw CommandFailure(.failed) }
    }
}
