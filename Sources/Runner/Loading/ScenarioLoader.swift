package import Diagnostics
import DialectFiles
import DialectModel
import LineProtocol
import Scenario
import Session

/// Reads scenarios and makes programs of them.
package struct ScenarioLoader: Sendable {
    /// The dialect to play with whatever the file says: `--dialect`.
    package var dialectOverride: String?
    /// The dialect for files that name none, as the scheme of the server's address gives it.
    package var dialectDefault: String?
    /// The names of variables that have values from outside.
    package var variables: Set<String>

    /// A loader.
    package init(
        dialectOverride: String? = nil, dialectDefault: String? = nil, variables: Set<String> = []
    ) {
        self.dialectOverride = dialectOverride
        self.dialectDefault = dialectDefault
        self.variables = variables
    }

    /// Reads a scenario; what is wrong with it stands among its diagnostics.
    package func load(_ found: FoundScenario) -> LoadedScenario {
        let bytes: [UInt8]
        do {
            bytes =
                found.path == "-"
                ? try TextFile.readStandardInput(bytesMax: ScenarioLimits.fileBytesMax)
                : try TextFile.read(found.path, bytesMax: ScenarioLimits.fileBytesMax)
        } catch {
            return unreadable(found, "\(error)")
        }
        return load(SourceText(path: found.path, bytes: bytes), line: found.line)
    }

    /// Reads a scenario whose text is there already.
    package func load(_ source: SourceText, line: Int? = nil) -> LoadedScenario {
        let outcome = ScenarioParser.parse(source)
        let outline = ScenarioOutline(outcome.file)
        var loaded = LoadedScenario(
            path: source.path, line: line, title: outline.title, tags: outline.tags, dialect: "",
            file: nil, diagnostics: outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors else { return loaded }
        loaded.file = outcome.file
        do throws(Diagnosed) {
            let dialect = try self.dialect(for: outcome.file)
            loaded.dialect = dialect.dialect.name
            loaded.defaultPort = dialect.dialect.port
            let context = ScenarioLinter.Context(
                variables: variables, behaviours: Set(dialect.behaviours.keys))
            loaded.diagnostics += ScenarioLinter.lint(outcome.file, context: context)
            let program = try ProgramCompiler.compile(
                outcome.file, with: dialect, given: variables)
            loaded.program = loaded.diagnostics.hasErrors ? nil : program
        } catch {
            loaded.diagnostics += Self.new(error.diagnostics, beside: loaded.diagnostics)
        }
        return loaded
    }

    /// One message for one mistake: what the linter has told in more fitting words is not told again.
    private static func new(_ found: [Diagnostic], beside told: [Diagnostic]) -> [Diagnostic] {
        let errors = told.filter { $0.severity == .error }.compactMap(\.location)
        return found.filter { diagnostic in
            guard let place = diagnostic.location else { return true }
            return !errors.contains { $0.range == place.range && $0.source == place.source }
        }
    }

    private func unreadable(_ found: FoundScenario, _ reason: String) -> LoadedScenario {
        let path = escapedForDisplay(found.path)
        let diagnostic = Diagnostic(
            .error, .unreadable, "the scenario `\(path)` cannot be read: \(reason)")
        return LoadedScenario(
            path: found.path, line: found.line, title: path, tags: [], dialect: "",
            diagnostics: [diagnostic])
    }

    private func dialect(for file: ScenarioFile) throws(Diagnosed) -> BoundDialect {
        let named = file.header.dialect
        guard let word = dialectOverride ?? named?.text ?? dialectDefault else {
            throw Diagnosed(
                Diagnostic(
                    .error, .noDialect, "the scenario names no dialect",
                    at: DiagnosticLocation(
                        source: file.source, range: file.source.range(ofLine: 1))
                ).help("write a line `dialect irc`, or give --dialect"))
        }
        do {
            let folder = folder(of: file.source.path)
            return BoundDialect.of(
                try DialectLibrary.find(word, beside: dialectOverride == nil ? folder : nil))
        } catch {
            throw Diagnosed(error.diagnostics.map { placed($0, named, file) })
        }
    }

    /// An error without a place, such as a dialect that is not there, is shown where it was named.
    private func placed(
        _ diagnostic: Diagnostic, _ named: Name?, _ file: ScenarioFile
    ) -> Diagnostic {
        guard diagnostic.location == nil, dialectOverride == nil, let named else {
            return diagnostic
        }
        var copy = diagnostic
        copy.location = DiagnosticLocation(source: file.source, range: named.range)
        return copy
    }

    private func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
    }
}
