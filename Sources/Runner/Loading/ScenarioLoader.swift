package import Diagnostics
import DialectFiles
import DialectModel
import LineProtocol
import Scenario
import Session

/// A loader that reads and compiles scenarios.
package struct ScenarioLoader: Sendable {
    /// Dialect given with `--dialect`, which takes precedence over the scenario's dialect; nil if
    /// none was given.
    package var dialectOverride: String?
    /// Dialect for scenarios that do not specify one, from the scheme of the server's address; nil
    /// if the scheme implies none.
    package var dialectDefault: String?
    /// Names of variables set from outside.
    package var variables: Set<String>

    package init(
        dialectOverride: String? = nil, dialectDefault: String? = nil, variables: Set<String> = []
    ) {
        self.dialectOverride = dialectOverride
        self.dialectDefault = dialectDefault
        self.variables = variables
    }

    /// Loads a scenario. Errors are stored in the scenario's diagnostics.
    package func load(_ found: FoundScenario) -> LoadedScenario {
        let bytes: [UInt8]
        do {
            bytes =
                found.path == "-"
                ? try TextFile.readStandardInput(bytesMax: ScenarioLimits.fileBytesMax)
                : try TextFile.read(
                    found.path, within: found.root ?? LinkPolicy.folder(of: found.path),
                    bytesMax: ScenarioLimits.fileBytesMax)
        } catch {
            return unreadable(found, "\(error)")
        }
        var loaded = load(SourceText(path: found.path, bytes: bytes), line: found.line)
        loaded.selectedRows = found.rows
        return loaded
    }

    package func load(_ source: SourceText, line: Int? = nil) -> LoadedScenario {
        let outcome = ScenarioParser.parse(source)
        var loaded = LoadedScenario(
            path: source.path, line: line, title: outcome.file.title,
            tags: outcome.file.header.tags.map(\.text), dialect: "",
            file: nil, diagnostics: outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors else {
            if let advice = Self.adviceForOtherFile(source, outcome.diagnostics) {
                loaded.diagnostics = [
                    Diagnostic(
                        .error, .unreadable, "`\(escapedForDisplay(source.path))` is not a scenario"
                    ).help(advice)
                ]
            }
            return loaded
        }
        loaded.file = outcome.file
        do throws(Diagnosed) {
            var file = outcome.file
            try file.readIncludes()
            loaded.file = file
            let dialect = try self.dialect(for: file, &loaded.dialectFile)
            loaded.dialect = dialect.dialect.name
            loaded.defaultPort = dialect.dialect.port
            let data = try file.dataTable()
            let columns = Set(data?.columns ?? [])
            let context = ScenarioLinter.Context(
                variables: variables, behaviours: Set(dialect.behaviours.keys), columns: columns)
            loaded.diagnostics += ScenarioLinter.lint(file, context: context)
            let program = try ProgramCompiler.compile(
                file, with: dialect, given: variables.union(columns))
            guard !loaded.diagnostics.hasErrors else { return loaded }
            loaded.program = program
            loaded.boundDialect = dialect
            loaded.data = data
        } catch {
            let errors = loaded.diagnostics.filter { $0.severity == .error }
            loaded.diagnostics += error.diagnostics.elsewhere(than: errors)
        }
        return loaded
    }

    /// Minimum number of errors for a file with another ending not to count as a scenario.
    private static let otherFileErrorsMin = 4

    /// Returns advice for a file that is probably not a scenario; nil if it may be one.
    private static func adviceForOtherFile(
        _ source: SourceText, _ diagnostics: [Diagnostic]
    ) -> String? {
        if [".yaml", ".yml"].contains(where: source.path.hasSuffix) {
            return "pass a dialect with --dialect FILE, and name scenarios FILE.chat"
        }
        guard !source.path.hasSuffix(".chat"), source.path != "-",
            diagnostics.count(where: { $0.severity == .error }) >= otherFileErrorsMin
        else { return nil }
        return "name scenarios FILE.chat; start a server with --exec 'COMMAND {{port}}'"
    }

    private func unreadable(_ found: FoundScenario, _ reason: String) -> LoadedScenario {
        let path = escapedForDisplay(found.path)
        let diagnostic = Diagnostic(
            .error, .unreadable, "cannot read scenario `\(path)`: \(reason)")
        return LoadedScenario(
            path: found.path, line: found.line, title: path, tags: [], dialect: "",
            diagnostics: [diagnostic])
    }

    /// Returns the dialect of a scenario.
    ///
    /// - Parameter path: Set to the path of the dialect file, even if the file has errors.
    private func dialect(
        for file: ScenarioFile, _ path: inout String?
    ) throws(Diagnosed) -> BoundDialect {
        do {
            let dialect = try self.dialect(for: file)
            path = dialect.source.path
            return dialect
        } catch {
            path = error.diagnostics.compactMap { $0.location?.source.path }
                .last { $0 != file.source.path }
            throw error
        }
    }

    private func dialect(for file: ScenarioFile) throws(Diagnosed) -> BoundDialect {
        let named = file.header.dialect
        guard let word = dialectOverride ?? named?.text ?? dialectDefault else {
            throw Diagnosed(
                Diagnostic(
                    .error, .noDialect, "the scenario does not specify a dialect",
                    at: DiagnosticLocation(
                        source: file.source, range: file.source.range(ofLine: 1))
                ).help(DialectLibrary.adviceForScenario))
        }
        guard dialectOverride == nil else { return BoundDialect.of(try DialectLibrary.find(word)) }
        return BoundDialect.of(try file.findDialect(word))
    }
}
