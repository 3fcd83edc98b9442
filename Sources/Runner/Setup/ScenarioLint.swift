import Console
package import Diagnostics
import DialectFiles
import LineProtocol
import Scenario

/// A linter for scenarios that takes the behaviours of their dialects into account.
package enum ScenarioLint {
    /// Returns the findings for a file; `-` means standard input.
    ///
    /// - Parameter name: The dialect to use if the scenario does not specify one.
    package static func findings(in path: String, dialect name: String?) throws -> [Diagnostic] {
        let outcome = ScenarioParser.parse(
            try TextFiles.read(path, within: path == "-" ? nil : LinkPolicy.folder(of: path)))
        guard !outcome.diagnostics.hasErrors else { return outcome.diagnostics }
        var context = ScenarioLinter.Context(variables: variables)
        var found = outcome.diagnostics
        var scenario = outcome.file
        do {
            try scenario.readIncludes()
        } catch {
            return found + error.diagnostics
        }
        if let name = scenario.header.dialect?.text ?? name {
            do {
                let file = try scenario.findDialect(name)
                context.behaviours = Set(file.dialect.behaviours.keys)
            } catch {
                found += error.diagnostics
            }
        }
        do throws(Diagnosed) {
            context.columns = try scenario.dataTable().map { Set($0.columns) }
        } catch {
            return found + error.diagnostics
        }
        return found + ScenarioLinter.lint(scenario, context: context)
    }

    /// Names of variables set in the environment.
    private static var variables: Set<String> {
        Set(
            Environment.ofProcess.keys.compactMap { RunVariables.variable(inEnvironment: $0)?.name }
        )
    }
}
