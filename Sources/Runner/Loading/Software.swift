package import Diagnostics

/// What server is under test, as `--software ngircd@26.1` says it: known failures and skips are
/// declared for software.
package struct Software: Sendable, Hashable, CustomStringConvertible {
    /// Its name.
    package var name: String
    /// Its version, if it is known.
    package var version: String?

    /// Software by name and version.
    package init(name: String, version: String? = nil) {
        self.name = name
        self.version = version
    }

    /// The software that a text names.
    package init(parsing text: String) throws(Diagnosed) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count == 1 || !parts[1].isEmpty else {
            let source = SourceText(path: "--software", text: text)
            throw Diagnosed(
                Diagnostic(
                    .error, .badSoftware,
                    parts.count == 2 ? "name or version is missing" : "the name is missing",
                    at: DiagnosticLocation(source: source, range: source.range(ofLine: 1))
                ).help("software is given as --software ngircd@26.1"))
        }
        self.name = String(name)
        version = parts.count == 2 ? String(parts[1]) : nil
    }

    /// `ngircd@26.1`.
    package var description: String { version.map { "\(name)@\($0)" } ?? name }
}
