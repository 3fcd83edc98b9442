import Diagnostics
import DialectFiles
import Scenario

extension ScenarioFile {
    /// Finds a dialect by the name that the scenario gives, in the scenario's folder first.
    ///
    /// - Throws: errors located at the scenario's `dialect` line if they have no other location, such as
    ///   that of a missing dialect.
    func findDialect(_ name: String) throws(Diagnosed) -> DialectFile {
        let path = source.path
        let folder =
            path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
        do {
            return try DialectLibrary.find(name, beside: folder)
        } catch {
            guard let line = header.dialect else { throw error }
            let location = DiagnosticLocation(source: source, range: line.range)
            throw Diagnosed(
                error.diagnostics.map { diagnostic in
                    var diagnostic = diagnostic
                    diagnostic.location = diagnostic.location ?? location
                    return diagnostic
                })
        }
    }
}
