import Diagnostics
import DialectFiles
import Scenario

extension ScenarioFile {
    /// Folder of the scenario file; empty for the working directory.
    private var folder: String {
        let path = source.path
        return path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
            ?? ""
    }

    /// Returns the path of a file that the scenario refers to. Relative paths are resolved against
    /// the scenario's folder.
    func path(of name: String) -> String {
        if name.hasPrefix("/") || folder.isEmpty { return name }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Returns the folder that symbolic links must not lead out of when the scenario refers to the
    /// file `name`.
    func root(of name: String) -> String { LinkPolicy.root(of: name, in: folder) }

    /// Finds a dialect by the name that the scenario uses. The scenario's folder is searched
    /// first.
    ///
    /// - Throws: Errors in the dialect. Errors without a location, for example if the dialect does
    ///   not exist, are located at the scenario's `dialect` line.
    func findDialect(_ name: String) throws(Diagnosed) -> DialectFile {
        do {
            return try DialectLibrary.find(name, beside: folder)
        } catch {
            guard let line = header.dialect else { throw error }
            throw error.located(at: DiagnosticLocation(source: source, range: line.range))
        }
    }
}
