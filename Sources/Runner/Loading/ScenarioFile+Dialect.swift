import Diagnostics
import DialectFiles
import Scenario

extension ScenarioFile {
    /// The folder of the file; empty for the working directory.
    private var folder: String {
        let path = source.path
        return path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
            ?? ""
    }

    /// Returns the path of a file that the scenario names, which is relative to the scenario's folder.
    func path(of name: String) -> String {
        if name.hasPrefix("/") || folder.isEmpty { return name }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Finds a dialect by the name that the scenario gives, in the scenario's folder first.
    ///
    /// - Throws: errors located at the scenario's `dialect` line if they have no other location, such as
    ///   that of a missing dialect.
    func findDialect(_ name: String) throws(Diagnosed) -> DialectFile {
        do {
            return try DialectLibrary.find(name, beside: folder)
        } catch {
            guard let line = header.dialect else { throw error }
            throw error.located(at: DiagnosticLocation(source: source, range: line.range))
        }
    }
}
