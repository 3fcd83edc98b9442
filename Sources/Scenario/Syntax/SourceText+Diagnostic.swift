import Diagnostics

extension SourceText {
    /// A diagnostic about a range of this text, perhaps with what to do and a second range that
    /// explains it.
    func diagnostic(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String,
        at range: SourceRange, label: String = "", help: String? = nil,
        related: (range: SourceRange, label: String)? = nil
    ) -> Diagnostic {
        let place = DiagnosticLocation(source: self, range: range, label: label)
        var diagnostic = Diagnostic(severity, code, message, at: place)
        if let help { diagnostic = diagnostic.help(help) }
        if let related {
            diagnostic = diagnostic.related(
                DiagnosticLocation(source: self, range: related.range, label: related.label))
        }
        return diagnostic
    }
}
