package import Diagnostics

/// The software under test, given as `--software ngircd@26.1`. Known failures and skips refer to
/// it.
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
        guard let name = parts.first, !name.isEmpty, parts.count == 1 || !parts[1].isEmpty else {
            let source = SourceText(path: "--software", text: text)
            throw Diagnosed(
                Diagnostic(
                    .error, .badSoftware,
                    parts.count == 2 ? "missing name or version" : "missing name",
                    at: DiagnosticLocation(source: source, range: source.range(ofLine: 1))
                ).help("use --software NAME@VERSION, such as --software ngircd@26.1"))
        }
        self.name = String(name)
        version = parts.count == 2 ? String(parts[1]) : nil
    }

    /// Text form, such as `ngircd@26.1`.
    package var description: String { version.map { "\(name)@\($0)" } ?? name }
}
