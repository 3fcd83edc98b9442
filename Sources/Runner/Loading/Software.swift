package import Diagnostics

/// The software under test, given as `--software ngircd@26.1`. Rules for known failures and skips
/// refer to it.
package struct Software: Sendable, Hashable, CustomStringConvertible {
    package var name: String
    /// Version; nil if unknown.
    package var version: String?

    package init(name: String, version: String? = nil) {
        self.name = name
        self.version = version
    }

    /// Parses `NAME` or `NAME@VERSION`.
    package init(parsing text: String) throws(Diagnosed) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first ?? ""
        let problem: String? =
            if name.isEmpty || parts.count == 2 && parts[1].isEmpty {
                parts.count == 2 ? "missing name or version" : "missing name"
            } else if name.contains(where: { ":/= ".contains($0) }) {
                "`\(name)` is not a server name"
            } else {
                nil
            }
        if let problem {
            let source = SourceText(path: "--software", text: text)
            throw Diagnosed(
                Diagnostic(
                    .error, .badSoftware, problem,
                    at: DiagnosticLocation(source: source, range: source.range(ofLine: 1))
                ).help("use --software NAME@VERSION, such as --software ngircd@26.1"))
        }
        self.name = String(name)
        version = parts.count == 2 ? String(parts[1]) : nil
    }

    /// The software as text, such as `ngircd@26.1`.
    package var description: String { version.map { "\(name)@\($0)" } ?? name }
}
