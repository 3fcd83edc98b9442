package import Diagnostics
import DialectFiles
import LineProtocol

extension BoundDialect {
    /// Returns the findings about a dialect file and the scenario text in it, for every profile.
    package static func findings(in source: SourceText) -> [Diagnostic] {
        let outcome = DialectReader.read(source)
        guard let dialect = outcome.dialect else { return outcome.diagnostics }
        let dialects =
            [dialect]
            + outcome.profiles.compactMap { DialectReader.read(source, profile: $0).dialect }
        var list: [Diagnostic] = []
        let bound = dialects.map { BoundDialect($0, source: outcome.source) }
        for diagnostic in bound.flatMap({ $0.diagnostics + $0.lint })
        where !list.contains(diagnostic) {
            list.append(diagnostic)
        }
        return outcome.diagnostics + list + DialectLint.lint(dialect, source: source)
    }
}
