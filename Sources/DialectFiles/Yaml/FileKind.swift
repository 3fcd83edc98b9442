import Diagnostics

/// What a file of YAML is, which the codes and words of its errors tell.
package struct FileKind: Sendable {
    /// What codes begin with.
    package var word: String
    /// What it is called.
    package var name: String

    /// A dialect.
    package static let dialect = FileKind(word: "dialect", name: "dialect")
    /// The plan of a load.
    package static let plan = FileKind(word: "plan", name: "plan")
    /// What checks have found, pinned.
    package static let lock = FileKind(word: "lock", name: "lock file")

    /// What is said of a dialect file, as it is said of this kind.
    func worded(_ diagnostic: Diagnostic) -> Diagnostic {
        let prefix = "dialect."
        guard word != "dialect", diagnostic.code.word.hasPrefix(prefix) else { return diagnostic }
        var diagnostic = diagnostic
        diagnostic.code = DiagnosticCode("\(word).\(diagnostic.code.word.dropFirst(prefix.count))")
        diagnostic.message = diagnostic.message
            .replacing(
                "a dialect file", with: name.hasSuffix("file") ? "a \(name)" : "a \(name) file"
            )
            .replacing("a dialect is", with: "a \(name) is")
        return diagnostic
    }
}
