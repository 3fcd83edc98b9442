import Diagnostics

extension SourceText {
    /// Creates a diagnostic for a range of this text, with an optional help line and a related
    /// range.
    func diagnostic(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String,
        at range: SourceRange, label: String = "", help: String? = nil,
        related: (range: SourceRange, label: String)? = nil
    ) -> Diagnostic {
        let location = DiagnosticLocation(source: self, range: range, label: label)
        var diagnostic = Diagnostic(severity, code, message, at: location)
        if let help { diagnostic = diagnostic.help(help) }
        if let related {
            diagnostic = diagnostic.related(
                DiagnosticLocation(source: self, range: related.range, label: related.label))
        }
        return diagnostic
    }
}
