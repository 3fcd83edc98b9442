import Console
package import Diagnostics
import DialectFiles
import DialectModel
import LineProtocol
import Scenario
import Session

/// A linter for scenarios that also compiles them for their dialects.
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
        var dialect: BoundDialect?
        if let name = scenario.header.dialect?.text ?? name {
            do {
                let file = try scenario.findDialect(name)
                context.behaviours = Set(file.dialect.behaviours.keys)
                dialect = BoundDialect.of(file)
            } catch {
                found += error.diagnostics
            }
        }
        do throws(Diagnosed) {
            context.columns = try scenario.dataTable().map { Set($0.columns) }
        } catch {
            return found + error.diagnostics
        }
        found += ScenarioLinter.lint(scenario, context: context)
        if let dialect, !scenario.hasOnlyFragments {
            let given = context.variables.union(context.columns ?? [])
            found += errors(in: scenario, with: dialect, given: given).elsewhere(than: found)
        }
        return found
    }

    /// Returns the errors that a run of the scenario would report. Secrets and variables need not be
    /// set; the linter itself reports variables that probably never will be.
    private static func errors(
        in scenario: ScenarioFile, with dialect: BoundDialect, given: Set<String>
    ) -> [Diagnostic] {
        let given = given.union(scenario.header.secrets.map(\.text))
        do throws(Diagnosed) {
            _ = try ProgramCompiler.compile(scenario, with: dialect, given: given)
            return []
        } catch {
            return error.diagnostics.filter { $0.code != "scenario.unbound-variable" }
        }
    }

    /// Names of variables set in the environment.
    private static var variables: Set<String> {
        Set(
            Environment.ofProcess.keys.compactMap { RunVariables.variable(inEnvironment: $0)?.name }
        )
    }
}
