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

    /// Returns the path of a file that the scenario refers to. Relative names are resolved against
    /// the scenario's folder.
    func path(of name: String) -> String {
        if name.hasPrefix("/") || folder.isEmpty { return name }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Finds a dialect by the name used in the scenario, looking in the scenario's folder first.
    ///
    /// - Throws: Errors. Those without a location, such as the error for a missing dialect, are
    ///   located at the scenario's `dialect` line.
    func findDialect(_ name: String) throws(Diagnosed) -> DialectFile {
        do {
            return try DialectLibrary.find(name, beside: folder)
        } catch {
            guard let line = header.dialect else { throw error }
            throw error.located(at: DiagnosticLocation(source: source, range: line.range))
        }
    }
}
