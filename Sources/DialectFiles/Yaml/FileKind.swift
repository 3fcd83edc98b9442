import Diagnostics

/// The kind of a YAML file, which determines the codes and wording of its diagnostics.
package struct FileKind: Sendable {
    /// Prefix of the diagnostic codes.
    package var word: String
    /// Name of the kind in messages.
    package var name: String

    package static let dialect = FileKind(word: "dialect", name: "dialect")
    /// A load plan.
    package static let plan = FileKind(word: "plan", name: "plan")
    /// A baseline of check results.
    package static let baseline = FileKind(word: "baseline", name: "baseline file")
    /// Variable values.
    package static let variables = FileKind(word: "variables", name: "variables file")

    /// Adapts the code and wording of a diagnostic about a dialect file to this kind of file.
    func worded(_ diagnostic: Diagnostic) -> Diagnostic {
        let prefix = "dialect."
        guard word != "dialect", diagnostic.code.word.hasPrefix(prefix) else { return diagnostic }
        var diagnostic = diagnostic
        diagnostic.code = DiagnosticCode("\(word).\(diagnostic.code.word.dropFirst(prefix.count))")
        diagnostic.message = diagnostic.message
            .replacing(
                "a dialect file", with: name.hasSuffix("file") ? "a \(name)" : "a \(name) file"
            )
            .replacing("a dialect must be", with: "a \(name) must be")
        return diagnostic
    }
}
