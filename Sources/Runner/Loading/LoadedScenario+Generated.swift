package import DialectModel
package import Diagnostics
package import LineProtocol
package import Scenario
import Session

extension LoadedScenario {
    /// Compiles a scenario that was generated for a dialect rather than read from a file.
    ///
    /// - Parameters:
    ///   - needs: Features that the server must support for the scenario to apply.
    ///   - given: Names of variables set from outside.
    /// - Throws: The errors in the steps, or in the dialect's behaviours.
    package init(
        generated file: ScenarioFile, title: String, speaking dialect: BoundDialect,
        needs: [OfferedName] = [], given: Set<String> = []
    ) throws(Diagnosed) {
        var file = file
        file.header.needs = needs.map {
            Need(kind: Name($0.kind, range: .none), name: Name($0.name, range: .none))
        }
        self.init(
            path: file.source.path, title: title, tags: [], dialect: dialect.dialect.name,
            diagnostics: [])
        program = try ProgramCompiler.compile(file, with: dialect, given: given)
        self.file = file
        dialectFile = dialect.source.path
        defaultPort = dialect.dialect.port
        boundDialect = dialect
    }
}
